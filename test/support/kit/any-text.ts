import fc from 'fast-check';

const codePoint = fc
  .oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 0x7f }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 0x10ffff }) },
  )
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point));

/** Any code points, mostly ASCII. The unit `binary` of fast-check has the same range and takes seconds to create. */
export const anyText = (maxLength?: number): fc.Arbitrary<string> =>
  fc.string({ unit: codePoint, ...(maxLength !== undefined && { maxLength }) });
