// Loaded with the first form for a given `fetch`, so it imports no code.

/** Names are quoted (RFC 7578, section 2, as HTML has it). */
const quote = (name: string): string =>
  `"${name.replace(/\r\n|\r|\n/g, '\r\n').replace(/[\r\n"]/g, (char) => encodeURIComponent(char))}"`;

/**
 * Encodes a form as a blob: its files are read while it is sent, and it can be sent again.
 *
 * @returns the blob, whose type has the boundary
 */
export const encodeForm = (form: FormData): Blob => {
  // Not `crypto.randomUUID`, which exists on secure pages only.
  const boundary = `form-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
  const parts: BlobPart[] = [];
  for (const [name, value] of form) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name=${quote(name)}`;
    if (typeof value === 'string') {
      parts.push(`${head}\r\n\r\n${value.replace(/\r\n|\r|\n/g, '\r\n')}\r\n`);
    } else {
      const type = value.type || 'application/octet-stream';
      parts.push(`${head}; filename=${quote(value.name)}\r\nContent-Type: ${type}\r\n\r\n`, value, '\r\n');
    }
  }
  parts.push(`--${boundary}--\r\n`);
  return new Blob(parts, { type: `multipart/form-data; boundary=${boundary}` });
};
