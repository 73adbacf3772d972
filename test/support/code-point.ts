import fc from './random.ts';

/**
 * Any character but half of a pair, as a unit of `fc.string`. It is what `unit: 'binary'` is, but does not
 * begin with a table of all of them, which each process of the tests would fill for half a second.
 */
export const codePoint = fc.nat(0x10_ffff - 0x800).map(
  (index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800),
  (value) => {
    const code = typeof value === 'string' ? (value.codePointAt(0) ?? -1) : -1;
    if (code < 0 || value !== String.fromCodePoint(code)) throw new Error('not one character');
    return code < 0xd800 ? code : code - 0x800;
  },
);
