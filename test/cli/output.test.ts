import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from './run-command.ts';
import { type Served, serveOrdering } from './served.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

let workspace: Workspace;
let served: Served;
beforeAll(async () => {
  [workspace, served] = await Promise.all([createWorkspace(), serveOrdering()]);
});
afterAll(async () => {
  await served.server.close();
  await workspace.remove();
});

const get = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await run(['get', './api.ts', ...args], workspace.folder, served.env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

describe('the output', () => {
  test('ndjson is a line for each record', async () => {
    const lines = (await get('companies', '--output=ndjson')).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line).city)).toEqual(['Utrecht', 'Tokyo', '=1+1']);
  });

  test('json of an empty list is an empty list', async () => {
    expect(await get('companies/99/orders')).toBe('[]\n');
  });

  test('csv quotes by RFC 4180, flattens nested objects, and has every column of every record', async () => {
    const lines = (await get('orders', '--limit=2', '--output=csv')).split('\r\n');
    const self = (path: string): string => `${served.url}/v1/${path}`;
    const list = (id: number): string => `"[{""id"":${id},""sku"":""SKU"",""quantity"":1}]"`;
    expect(lines).toEqual([
      'id,self,status,createdAt,device.model,device.serial,lines,company.id,company.self,note',
      `1,${self('orders/1')},open,2026-01-01T00:00:00.000Z,M0,"a ""b"", c",${list(1)},1,${self('companies/1')},`,
      `2,${self('orders/2')},open,2026-01-02T00:00:00.000Z,M1,"a ""b"", c",${list(1)},2,${self('companies/2')},second`,
      '',
    ]);
  });

  test('csv leaves cells as they are, line breaks and formulas included', async () => {
    const text = await get('companies', '--output=csv');
    expect(text).toContain('\r\n3,');
    expect(text).toContain('"Red\u001b[31m\nTwo",=1+1\r\n');
  });

  test('table aligns wide characters, and lets no control character through', async () => {
    const lines = (await get('companies', '--output=table')).split('\n');
    expect(lines.slice(0, 5).map((line) => line.replace(/ +(?:http.*|self|-+)$/, ''))).toEqual([
      'id  name                city',
      '--  ------------------  -------',
      ' 1  Acme                Utrecht',
      ' 2  株式会社            Tokyo',
      ' 3  Red\\u001b[31m\\nTwo  =1+1',
    ]);
  });

  test('table of one resource is a line for each field', async () => {
    const lines = (await get('orders/2', '--fields=device,note', '--output=table')).split('\n');
    expect(lines).toEqual([
      'id             2',
      `self           ${served.url}/v1/orders/2`,
      'note           second',
      'device.model   M1',
      'device.serial  a "b", c',
      '',
    ]);
  });
});
