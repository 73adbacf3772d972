/** What a mock's assertions throw; test runners show it as a failed assertion. */
export class MockAssertionError extends Error {
  override readonly name = 'AssertionError';
  readonly actual: unknown;
  readonly expected: unknown;

  constructor(message: string, actual: unknown, expected: unknown) {
    super(message);
    this.actual = actual;
    this.expected = expected;
  }
}
