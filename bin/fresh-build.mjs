// Decides whether the build in dist/ belongs to the sources beside it.
import { readdirSync, readFileSync, statSync } from 'node:fs';

/** The files and folders that a build depends on. npm writes `.package-lock.json` when the installed packages change. */
const INPUTS = ['src', 'adapters', 'sandbox', 'bin', 'package.json', 'package-lock.json', 'node_modules/.package-lock.json'];
const TESTS = 'sandbox/test';
/** No part of a build. `npx fanfare` sets its mode, and so its ctime, for each user who runs it for the first time. */
const LAUNCHER = 'bin/fanfare.mjs';

/**
 * The folder of the newest build; undefined if there is none, or if the sources have changed since. The package and the image contain no
 * sources, so their build is never stale.
 */
export function findFreshBuild(root) {
  const build = readBuild(root);
  if (!build) return undefined;
  const isFresh = stampOf(`${root}/src`) === undefined || build.inputs.every(([path, stamp]) => stampOf(`${root}/${path}`) === stamp);
  return isFresh ? `${root}/dist/${build.folder}` : undefined;
}

/** Whether `dist/` contains a build, fresh or stale. */
export function hasBuild(root) {
  return stampOf(`${root}/dist/build.json`) !== undefined;
}

/** The folder in `dist/` and the inputs of the newest complete build. A damaged file or a missing folder counts as no build. */
function readBuild(root) {
  try {
    const { folder, inputs } = JSON.parse(readFileSync(`${root}/dist/build.json`, 'utf8'));
    const isComplete = Array.isArray(inputs) && inputs.every(Array.isArray) && stampOf(`${root}/dist/${folder}/main.js`) !== undefined;
    return isComplete ? { folder, inputs } : undefined;
  } catch {
    return undefined;
  }
}

/** Each input with its stamp. The stamp of a folder changes when an entry is added, deleted or renamed. */
export function inputsIn(root) {
  return INPUTS.flatMap((path) => [path, ...entriesIn(root, path)])
    .filter((path) => path !== TESTS && path !== LAUNCHER && !path.startsWith(`${TESTS}/`))
    .map((path) => [path, stampOf(`${root}/${path}`)])
    .filter(([, stamp]) => stamp !== undefined);
}

function entriesIn(root, path) {
  if (!statSync(`${root}/${path}`, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(`${root}/${path}`, { recursive: true }).map((entry) => `${path}/${entry.replaceAll('\\', '/')}`);
}

/** The size and times of a file. No program can set the time of the change (ctime), so an edit that keeps size and mtime shows too. */
function stampOf(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
}
