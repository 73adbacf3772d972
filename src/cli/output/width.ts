const segmenter = new Intl.Segmenter();

const plain = /^[\x20-\x7e]*$/;

// East Asian Width W and F (UAX #11), and what is shown as an emoji.
const wide =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|.\ufe0f)/u;

const zero = /^[\p{Mn}\p{Me}\p{Cf}]/u;

const widthOfGrapheme = (grapheme: string): number => {
  if (wide.test(grapheme)) return 2;
  return zero.test(grapheme) ? 0 : 1;
};

const graphemesOf = (text: string): readonly string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);

/** How many columns of a terminal a text without control characters takes. */
export const widthOf = (text: string): number =>
  plain.test(text)
    ? text.length
    : graphemesOf(text).reduce((sum, grapheme) => sum + widthOfGrapheme(grapheme), 0);

/** The beginning of a text that fits, with an ellipsis where something is left off. */
export const cut = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text;
  let taken = '';
  let used = 0;
  for (const grapheme of graphemesOf(text)) {
    used += widthOfGrapheme(grapheme);
    if (used > width - 1) break;
    taken += grapheme;
  }
  return `${taken}…`;
};
