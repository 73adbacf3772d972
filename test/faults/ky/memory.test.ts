import { vi } from 'vitest';

// What is measured is a process, which reads this from its surroundings.
vi.stubEnv('TEST_FETCH', 'ky');
await import('../requests/memory.test.ts');
