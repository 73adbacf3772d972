// Loaded with the first file or form, so it imports no code.

/** Quotes a name (RFC 7578 §2, with the escapes of HTML). */
const quote = (name: string): string =>
  `"${name.replace(/\r\n|\r|\n/g, '\r\n').replace(/[\r\n"]/g, (char) => encodeURIComponent(char))}"`;

/**
 * Encodes a form as a blob: its files are read while it is sent, and it can be resent.
 *
 * @returns the blob, whose type has the boundary
 */
const encodeForm = (form: FormData): Blob => {
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

/** False where blobs and forms are not those of the runtime, as in jsdom: `fetch` would send the string `[object Blob]`. */
const takesBlobs = (): boolean =>
  new Response(new Blob([], { type: 'a/b' })).headers.get('content-type') === 'a/b';

/**
 * A file or a form as `fetch` can send it. A given `fetch` may belong to another copy of undici, which recognises only its own
 * `FormData` and would send the string `[object FormData]`.
 *
 * @param isGiven - whether the application has given the `fetch`
 * @returns the body, and the content type of a form that was encoded
 */
export const toSendable = async (
  given: Blob | FormData,
  isGiven: boolean,
): Promise<{ readonly body: Blob | FormData | Uint8Array<ArrayBuffer>; readonly type?: string }> => {
  const isTaken = takesBlobs();
  if (given instanceof FormData && isTaken && !isGiven) return { body: given };
  const blob = given instanceof FormData ? encodeForm(given) : given;
  const body = isTaken ? blob : new Uint8Array(await blob.arrayBuffer());
  return given === blob ? { body } : { body, type: blob.type };
};
