const texts = new WeakMap<Response, string>();

/** Remembers the text that an answer was made with: reading it from its stream costs more than making it. */
export const rememberText = (response: Response, text: string): Response => {
  texts.set(response, text);
  return response;
};

/** The text of an answer that has it at hand; undefined for any other, whose stream holds it. */
export const knownText = (response: Response): string | undefined => texts.get(response);

/** The text of an answer; its stream is used up where nothing else knows the text. */
export const textOf = async (response: Response): Promise<string> =>
  knownText(response) ?? (await response.text());

/** The same answer with other header fields. */
export const withFields = (response: Response, change: (headers: Headers) => void): Response => {
  const headers = new Headers(response.headers);
  change(headers);
  const { status } = response;
  const text = knownText(response);
  return text === undefined
    ? new Response(response.body, { status, headers })
    : rememberText(new Response(text, { status, headers }), text);
};
