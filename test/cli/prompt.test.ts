import { expect, test } from 'vitest';
import { readCredentials } from '../../src/cli/session.ts';
import { createSurroundings } from './surroundings.ts';

const shown = async (err: () => string, text: string): Promise<void> => {
  while (!err().includes(text)) await new Promise((resolve) => setImmediate(resolve));
};

test('a terminal prompts for username and password, and the password is not shown', async () => {
  const { io, input, out, err } = createSurroundings({}, { isTTY: true });
  const credentials = readCredentials(io, '');
  await shown(err, 'Username: ');
  input.write('adx\u007fa\r');
  await shown(err, 'Password of ada: ');
  input.write('p4ss ');
  input.write('wörd\r');
  expect(await credentials).toEqual({ username: 'ada', password: 'p4ss wörd' });
  await io.err.flush();
  for (const part of ['p4ss', 'wörd', '*']) expect(err()).not.toContain(part);
  expect(out()).toBe('');
});

test('there is no prompt for the credentials of the environment', async () => {
  const { io, input, err } = createSurroundings({ RESTKIN_USERNAME: 'ada' }, { isTTY: true });
  const credentials = readCredentials(io, '');
  await shown(err, 'Password of ada: ');
  input.write('secret\r');
  expect(await credentials).toEqual({ username: 'ada', password: 'secret' });
  expect(err()).not.toContain('Username');
});

test('Ctrl-C while the password is typed ends the command as SIGINT does', async () => {
  const { io, input, err } = createSurroundings({ RESTKIN_USERNAME: 'ada' }, { isTTY: true });
  const credentials = readCredentials(io, '');
  await shown(err, 'Password');
  input.write('sec\u0003');
  await expect(credentials).rejects.toMatchObject({ exitCode: 130 });
});

test('a signal ends the question', async () => {
  const stop = new AbortController();
  const { io, err } = createSurroundings({}, { isTTY: true, signal: stop.signal });
  const credentials = readCredentials(io, '');
  await shown(err, 'Username');
  const reason = new Error('stopped');
  stop.abort(reason);
  await expect(credentials).rejects.toBe(reason);
});

test('a username and a password that are pasted in one piece are both taken, and the password is not shown', async () => {
  const { io, input, err } = createSurroundings({}, { isTTY: true });
  const credentials = readCredentials(io, '');
  await shown(err, 'Username: ');
  input.write('ada\np4sswörd\n');
  expect(await credentials).toEqual({ username: 'ada', password: 'p4sswörd' });
  await io.err.flush();
  expect(err()).toContain('Password of ada: ');
  expect(err()).not.toContain('p4ss');
});

test('the end of the input is an empty reply to every question', async () => {
  const { io, input, err } = createSurroundings({}, { isTTY: true });
  const credentials = readCredentials(io, '');
  await shown(err, 'Username: ');
  input.end();
  expect(await credentials).toEqual({ username: '', password: '' });
});
