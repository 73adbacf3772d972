import { createHash } from 'node:crypto';

// A file that was imported before: which of its lines are the user's.

const begin = '// #region by hand';
const end = '// #endregion by hand';
const note = '// Run it again when the document changes: it keeps what is between the markers "by hand".';
const signature = /^\/\/ Made by `restkin import .*`\.$/m;
const checksumLine = /^\/\/ Checksum of the rest: ([0-9a-f]{16})$/m;

/** What a file is made of. */
export interface Content {
  /** The name of the document. */
  readonly document: string;
  readonly imports: string;
  readonly declarations: string;
}

/** An imported file as it is on the disk. */
export interface Existing {
  /** Whether it was changed outside of the markers, or was not made by an import at all. */
  readonly isEdited: boolean;
  /** What it had outside of the markers when it was made. */
  readonly checksum: string | undefined;
  /** What is between the markers, pair by pair, without line ends around it. */
  readonly kept: readonly string[];
}

/** A checksum of what a program says: a formatter may change the white space, quotes, commas and brackets around it. */
const checksumOf = (program: string): string =>
  createHash('sha256')
    .update(program.replace(/[\s'"`,;()]/g, ''))
    .digest('hex')
    .slice(0, 16);

const region = /^[ \t]*\/\/ #region by hand[ \t]*\n([\s\S]*?)^[ \t]*\/\/ #endregion by hand[ \t]*$/gm;

const withoutKept = (file: string): string =>
  file.replace(region, `${begin}\n${end}`).replace(checksumLine, '').replace(signature, '');

/** Reads a file that an import may have made. */
export const readExisting = (file: string): Existing => {
  const lines = file.replaceAll('\r\n', '\n');
  const [, checksum] = checksumLine.exec(lines) ?? [];
  return {
    checksum,
    isEdited: !signature.test(lines) || checksum !== checksumOf(withoutKept(lines)),
    kept: [...lines.matchAll(region)].map(([, kept = '']) => kept.replace(/^\n+|\s+$/g, '')),
  };
};

const writeRegion = (kept: readonly string[]): string => {
  const content = kept.filter((one) => one !== '').join('\n\n');
  return [begin, ...(content === '' ? [] : [content]), end].join('\n');
};

/** Writes a file, with what was written by hand in an earlier one. */
export const writeFileContent = (
  { document, imports, declarations }: Content,
  kept: readonly string[],
): string => {
  const [top = '', ...others] = kept;
  const write = (checksum: string): string => {
    const head = [
      `// Made by \`restkin import ${document}\`.`,
      note,
      `// Checksum of the rest: ${checksum}`,
      imports,
    ];
    const parts = [
      head.filter((line) => line !== '').join('\n'),
      writeRegion([top]),
      declarations,
      writeRegion(others),
    ];
    return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
  };
  return write(checksumOf(withoutKept(write('0'.repeat(16)))));
};
