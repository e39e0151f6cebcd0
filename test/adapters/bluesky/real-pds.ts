import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { fetch } from 'undici';
import { z } from 'zod';

const Account = z.object({ did: z.string(), handle: z.string(), appPassword: z.string() });
const Started = z.object({ url: z.string(), plcUrl: z.string(), accounts: z.object({ ada: Account, grace: Account }) });

const Records = z.object({ records: z.array(z.object({ uri: z.string(), value: z.looseObject({ text: z.string().optional() }) })) });

/** The real PDS in a separate process. */
export interface RealPds extends z.output<typeof Started>, AsyncDisposable {
  /** The records in a repository, newest first. */
  records(did: string, collection: string): Promise<z.output<typeof Records>['records']>;
}

/** Starts the server of test/pds, which has to be installed there. */
export async function startRealPds(): Promise<RealPds> {
  const folder = fileURLToPath(new URL('../../pds', import.meta.url));
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, LOG_ENABLED: 'false' },
  });
  const started = await new Promise<unknown>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => line.startsWith('{"url"') && resolve(JSON.parse(line)));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: is it installed in test/pds?`)));
  });
  const parsed = Started.parse(started);

  return {
    ...parsed,
    async records(repo, collection) {
      const query = new URLSearchParams({ repo, collection, limit: '100' });
      const response = await fetch(`${parsed.url}/xrpc/com.atproto.repo.listRecords?${query.toString()}`);
      return Records.parse(await response.json()).records;
    },
    async [Symbol.asyncDispose]() {
      child.removeAllListeners('exit');
      const ended = once(child, 'exit');
      child.stdin.end();
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(late);
    },
  };
}
