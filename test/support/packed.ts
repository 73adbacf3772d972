// Packs before the tests start, so that no two of them do.
import { packOnce } from '../../scripts/package.ts';

export const setup = packOnce;
