// A strict Content-Security-Policy forbids `new Function`. zod would try it with its first schema, and the
// browser would report a violation. So this is imported before any schema.
import { config } from 'zod';

config({ jitless: true });
