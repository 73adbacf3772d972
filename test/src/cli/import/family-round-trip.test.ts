import fc from 'fast-check';
import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import { declarePreset, otherPresets, presetNames } from '../../../support/preset-apis.ts';
import { declareEndpoints, drawnEndpoints } from '../../../support/random-endpoints.ts';
import { isFullRun } from '../../../support/runs.ts';

describe.each(presetNames)('an exported API of the preset %s, imported again', (name) => {
  const document = toOpenApi(declarePreset(name));

  test('is recognised, and gives the same document', async () => {
    const imported = await importOf(document);
    expect(imported.family).toMatch(new RegExp(`^Family: ${name}, by `));
    expect(imported.imports).toContain(`import { ${name} } from 'restkin/families';`);
    expect(imported.unfit).toEqual([]);
    expect(apisOf(imported).map((again) => toOpenApi(again))).toEqual([document]);
  });

  test('has its endpoints and actions again', async () => {
    const numRuns = isFullRun ? 40 : 4;
    for (const endpoints of fc.sample(drawnEndpoints, { numRuns, seed: 51 })) {
      const { api } = declareEndpoints(endpoints, otherPresets[name]);
      const again = apisOf(await importOf(toOpenApi(api), [], name));
      expect(again.map((one) => toOpenApi(one))).toEqual([toOpenApi(api)]);
    }
  });
});
