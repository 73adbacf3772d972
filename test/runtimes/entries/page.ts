// A browser: the page comes from the control server, and every other server has another origin.
import { perform } from '../perform.ts';

Object.assign(globalThis, {
  performCases: () => perform('', { hidesHeaders: true, loadMocks: () => import('restkin/mocks') }),
});
