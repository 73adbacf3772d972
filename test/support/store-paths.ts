import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { sqliteStore } from '../../src/adapters/sqlite.ts';

/** A path that no store can be at: what is there, how to make it in a folder, and what the message says. */
export type RefusedPath = readonly [
  what: string,
  make: (folder: string) => string | Promise<string>,
  reason: RegExp,
];

/** A store of ours with a record, closed. */
export const makeStore = async (path: string, records = 1): Promise<string> => {
  const store = sqliteStore({ path });
  for (let count = 0; count < records; count++) await store.swap(`chain-${count}`, 0, 'x'.repeat(2_000));
  store.close();
  return path;
};

const file = (name: string, content: string | Uint8Array, mode = 0o644) => {
  return (folder: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content, { mode });
    return path;
  };
};

/** A database of another application, as it is left when its process is killed. */
const database = (setup: string, suffixes: readonly string[] = ['']) => {
  return (folder: string): string => {
    const [made, path] = [join(folder, 'made.db'), join(folder, 'app.db')];
    const open = new DatabaseSync(made);
    open.exec(`${setup}; CREATE TABLE notes (body TEXT); INSERT INTO notes VALUES ('mine')`);
    for (const suffix of suffixes) copyFileSync(made + suffix, path + suffix);
    open.close();
    return path;
  };
};

const link = (target: (folder: string) => string | Promise<string>) => {
  return async (folder: string): Promise<string> => {
    const path = join(folder, 'link.db');
    symlinkSync(await target(folder), path);
    return path;
  };
};

const otherFormat = /it is a file of another format/;
const otherDatabase = /it is the SQLite database of another application/;
const symbolicLink = /it is a symbolic link/;

export const refusedPaths: readonly RefusedPath[] = [
  ['a config.json', file('config.json', '{"port":80}', 0o640), otherFormat],
  ['an executable file', file('run.sh', '#!/bin/sh\n', 0o755), otherFormat],
  ['a large binary file', file('a.bin', new Uint8Array(200_000).fill(255)), otherFormat],
  ['an empty file', file('empty', ''), /it is an empty file/],
  ["only SQLite's magic string", file('short.db', 'SQLite format 3\0'), otherFormat],
  ["another application's database", database('PRAGMA application_id = 252006675'), otherDatabase],
  ['a database without an application id', database('PRAGMA user_version = 1'), otherDatabase],
  [
    'a database with a table of the same name',
    database('CREATE TABLE chains (name TEXT PRIMARY KEY, version INTEGER NOT NULL, record TEXT NOT NULL)'),
    otherDatabase,
  ],
  [
    "another application's database with a log beside it",
    database('PRAGMA journal_mode = WAL', ['', '-wal', '-shm']),
    otherDatabase,
  ],
  ['a link to a text file', link(file('notes.txt', 'mine')), symbolicLink],
  ['a link to a store', link((folder) => makeStore(join(folder, 'tokens.db'))), symbolicLink],
  ['a dangling link', link((folder) => join(folder, 'missing')), symbolicLink],
  [
    'a directory',
    (folder) => {
      mkdirSync(join(folder, 'state'));
      return join(folder, 'state');
    },
    /it is a directory/,
  ],
  [
    'a FIFO',
    (folder) => {
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      return join(folder, 'pipe');
    },
    /it is a device, a pipe or a socket/,
  ],
  [
    'a file below a file',
    (folder) => join(file('notes.txt', 'mine')(folder), 'tokens.db'),
    /cannot be used: ENOTDIR/,
  ],
  [
    'nothing, with a file in the place of its journal',
    (folder) => file('tokens.db-journal', 'mine')(folder).slice(0, -'-journal'.length),
    /tokens\.db-journal is in the way/,
  ],
];

/** A small file system in a folder of the test, which only root can make. */
export const mountDisk = (folder: string): string => {
  const target = join(folder, 'disk');
  mkdirSync(target);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', target]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', target]));
  return target;
};

/** Leaves no byte free. */
export const fillDisk = (folder: string): void => {
  for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) writeFileSync(join(folder, 'rest'), Buffer.alloc(size), { flag: 'a' });
    } catch {
      // Full for this size.
    }
  }
};

const describeEntry = (path: string): object => {
  const stats = lstatSync(path, { bigint: true });
  const { mode, ino, mtimeNs } = stats;
  return stats.isFile() ? { mode, ino, mtimeNs, content: readFileSync(path, 'latin1') } : { mode, ino };
};

/** Everything in a folder: names, modes, times and bytes. */
export const snapshot = (folder: string): readonly object[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => ({ name, ...describeEntry(join(folder, name)) }));
