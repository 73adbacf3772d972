import { vi } from 'vitest';

// What is measured is a process, which reads this from its surroundings.
vi.stubEnv('TEST_FETCH', 'undici');
await import('../requests/large.test.ts');
