import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { sqliteStore } from '../../src/adapters/sqlite.ts';

/** A path that is no usable store. */
export interface RefusedPath {
  /** What is at the path. */
  readonly what: string;
  /** Makes it in a folder, and returns the path. */
  readonly make: (folder: string) => string | Promise<string>;
  /** The reason in the message. */
  readonly reason: RegExp;
}

const makeDatabase = (path: string, setup = ''): DatabaseSync => {
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE notes (body TEXT); INSERT INTO notes VALUES ('mine'); ${setup}`);
  return database;
};

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
    writeFileSync(path, content);
    chmodSync(path, mode);
    return path;
  };
};

const database = (setup = '') => {
  return (folder: string): string => {
    const path = join(folder, 'app.db');
    makeDatabase(path, setup).close();
    return path;
  };
};

/** A database with the files beside it that an application leaves when it is killed. */
const killedDatabase = (setup: string, last: string, suffixes: readonly string[]) => {
  return (folder: string): string => {
    const [made, path] = [join(folder, 'made.db'), join(folder, 'app.db')];
    const open = makeDatabase(made, setup);
    open.exec(last);
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

const special = (command: string, ...args: readonly string[]) => {
  return (folder: string): string => {
    const path = join(folder, 'special');
    execFileSync(command, [path, ...args]);
    return path;
  };
};

const listenAt = (folder: string): Promise<string> =>
  new Promise((resolve) => {
    const path = join(folder, 'socket');
    const server = createServer().listen(path, () => resolve(path));
    onTestFinished(() => void server.close());
  });

const noDatabase = /it is a file of another format/;
const otherDatabase = /it is the SQLite database of another application/;
const symbolicLink = /it is a symbolic link/;
const specialFile = /it is a device, a pipe or a socket/;
const sqliteHeader = 'SQLite format 3\0';
const beforeHeaderEnds = 60;

/** Paths that need no permission of their own to be made. */
export const refusedPaths: readonly RefusedPath[] = [
  { what: 'a text file', make: file('notes.txt', 'notes of my own\n'), reason: noDatabase },
  { what: 'a config.json', make: file('config.json', '{"port":80}', 0o640), reason: noDatabase },
  { what: 'an executable file', make: file('run.sh', '#!/bin/sh\n', 0o755), reason: noDatabase },
  { what: 'a large binary file', make: file('a.bin', new Uint8Array(200_000).fill(255)), reason: noDatabase },
  { what: 'an empty file', make: file('empty', ''), reason: /it is an empty file/ },
  { what: "only SQLite's magic string", make: file('short.db', sqliteHeader), reason: noDatabase },
  {
    what: 'a store of which a few bytes are left',
    make: async (folder) => {
      const bytes = readFileSync(await makeStore(join(folder, 'whole.db')));
      return file('cut.db', bytes.subarray(0, beforeHeaderEnds))(folder);
    },
    reason: /it is (a file of another format|the SQLite database of another application)/,
  },
  {
    what: "another application's database",
    make: database('PRAGMA application_id = 252006675'),
    reason: otherDatabase,
  },
  { what: 'a database without an application id', make: database(), reason: otherDatabase },
  {
    what: 'a database with a table of the same name',
    make: database(
      'CREATE TABLE chains (name TEXT PRIMARY KEY, version INTEGER NOT NULL, record TEXT NOT NULL)',
    ),
    reason: otherDatabase,
  },
  {
    what: "another application's database with a log beside it",
    make: killedDatabase('PRAGMA journal_mode = WAL;', "INSERT INTO notes VALUES ('x')", [
      '',
      '-wal',
      '-shm',
    ]),
    reason: otherDatabase,
  },
  {
    what: "another application's database that needs recovery, without its log's index",
    make: killedDatabase('PRAGMA journal_mode = WAL;', "INSERT INTO notes VALUES ('x')", ['', '-wal']),
    reason: otherDatabase,
  },
  {
    what: "another application's database with a hot journal",
    make: killedDatabase('PRAGMA cache_size = 1;', "BEGIN; UPDATE notes SET body = 'half'", ['', '-journal']),
    reason: otherDatabase,
  },
  { what: 'a link to a text file', make: link(file('notes.txt', 'mine')), reason: symbolicLink },
  { what: 'a link to an empty file', make: link(file('empty', '')), reason: symbolicLink },
  { what: 'a link to a database', make: link(database()), reason: symbolicLink },
  {
    what: 'a link to a store',
    make: link((folder) => makeStore(join(folder, 'tokens.db'))),
    reason: symbolicLink,
  },
  { what: 'a dangling link', make: link((folder) => join(folder, 'missing')), reason: symbolicLink },
  { what: 'a link to itself', make: link((folder) => join(folder, 'link.db')), reason: symbolicLink },
  {
    what: 'a directory',
    make: (folder) => {
      mkdirSync(join(folder, 'state'));
      file('inside', 'mine')(join(folder, 'state'));
      return join(folder, 'state');
    },
    reason: /it is a directory/,
  },
  { what: 'a FIFO', make: special('mkfifo'), reason: specialFile },
  { what: 'a socket', make: listenAt, reason: specialFile },
  {
    what: 'a file below a file',
    make: (folder) => join(file('notes.txt', 'mine')(folder), 'tokens.db'),
    reason: /cannot be used: ENOTDIR/,
  },
  {
    what: 'nothing, with a file in the place of its journal',
    make: (folder) => file('tokens.db-journal', 'mine')(folder).slice(0, -'-journal'.length),
    reason: /tokens\.db-journal is in the way/,
  },
];

const isRoot = process.getuid?.() === 0;

/** A small file system in a folder of the test. */
export const mountDisk = (folder: string): string => {
  const target = join(folder, 'disk');
  mkdirSync(target);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', target]);
  onTestFinished(() => void execFileSync('umount', [target]));
  return target;
};

/** Leaves no byte free. */
export const fillDisk = (folder: string): void => {
  for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (let count = 0; count < 100; count++) {
        writeFileSync(join(folder, 'rest'), Buffer.alloc(size), { flag: 'a' });
      }
    } catch {
      // Full for this size.
    }
  }
};

/** Paths that only root can make. */
export const refusedPathsOfRoot: readonly RefusedPath[] = !isRoot
  ? []
  : [
      { what: 'a device', make: special('mknod', 'c', '1', '3'), reason: specialFile },
      {
        what: 'nothing, on a full disk',
        make: (folder) => {
          const disk = mountDisk(folder);
          fillDisk(disk);
          return join(disk, 'tokens.db');
        },
        reason: /cannot be used: .*(full|ENOSPC|disk I\/O)/,
      },
      {
        what: 'a store on a read-only disk',
        make: async (folder) => {
          const disk = mountDisk(folder);
          const path = await makeStore(join(disk, 'tokens.db'));
          execFileSync('mount', ['-o', 'remount,ro', disk]);
          return path;
        },
        reason: /cannot be used: /,
      },
      {
        what: 'nothing, on a read-only disk',
        make: (folder) => {
          const disk = mountDisk(folder);
          execFileSync('mount', ['-o', 'remount,ro', disk]);
          return join(disk, 'tokens.db');
        },
        reason: /cannot be used: /,
      },
      {
        what: 'a store that may not be changed',
        make: async (folder) => {
          const path = await makeStore(join(folder, 'tokens.db'));
          execFileSync('chattr', ['+i', path]);
          onTestFinished(() => void execFileSync('chattr', ['-i', path]));
          return path;
        },
        reason: /cannot be used: /,
      },
    ];

const describeEntry = (path: string): object => {
  const stats = lstatSync(path, { bigint: true });
  const { mode, ino, mtimeNs } = stats;
  if (stats.isFile()) return { mode, ino, mtimeNs, content: readFileSync(path, 'latin1') };
  return { mode, ino, target: stats.isSymbolicLink() ? readlinkSync(path) : undefined };
};

/** Everything in a folder: names, modes, times and bytes. */
export const snapshot = (folder: string): readonly object[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => ({ name, ...describeEntry(join(folder, name)) }));
