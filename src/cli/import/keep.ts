import { createHash } from 'node:crypto';
import type { Imported } from './import.ts';

const begin = '// #region by hand';
const end = '// #endregion by hand';
const note = '// Run it again when the document changes: it keeps what is between the markers "by hand".';
const signature = /^\/\/ Made by `restkin import .*`\.$/m;
const checksumLine = /^\/\/ Checksum of the rest: ([0-9a-f]{16})$/m;

/** A checksum of a program that ignores what a formatter may change: white space, quotes, commas, semicolons, parentheses. */
const checksumOf = (program: string): string =>
  createHash('sha256')
    .update(program.replace(/[\s'"`,;()]/g, ''))
    .digest('hex')
    .slice(0, 16);

const region = /^[ \t]*\/\/ #region by hand[ \t]*\n([\s\S]*?)^[ \t]*\/\/ #endregion by hand[ \t]*$/gm;

const withoutKept = (file: string): string =>
  file.replace(region, `${begin}\n${end}`).replace(checksumLine, '').replace(signature, '');

/** Reads a file that an import may have made. */
export const readExisting = (file: string) => {
  const lines = file.replaceAll('\r\n', '\n');
  const [, checksum] = checksumLine.exec(lines) ?? [];
  return {
    /** The checksum outside of the markers when the file was made; undefined when it has none. */
    checksum,
    /** Whether it was changed outside of the markers, or was not made by an import at all. */
    isEdited: !signature.test(lines) || checksum !== checksumOf(withoutKept(lines)),
    /** The content of each pair of markers, without line ends around it. */
    kept: [...lines.matchAll(region)].map(([, kept = '']) => kept.replace(/^\n+|\s+$/g, '')),
  };
};

const writeRegion = (kept: readonly string[]): string => {
  const content = kept.filter((one) => one !== '').join('\n\n');
  return [begin, ...(content === '' ? [] : [content]), end].join('\n');
};

/** Writes a file with the parts that were written by hand in an earlier one. */
export const writeFileContent = (
  { document, imports, declarations }: Imported & { readonly document: string },
  [top = '', ...others]: readonly string[],
): string => {
  const write = (checksum: string): string => {
    const head = [
      `// Made by \`restkin import ${document}\`.`,
      note,
      `// Checksum of the rest: ${checksum}`,
      imports,
    ].join('\n');
    return `${[head, writeRegion([top]), declarations, writeRegion(others)].join('\n\n')}\n`;
  };
  return write(checksumOf(withoutKept(write('0'.repeat(16)))));
};
