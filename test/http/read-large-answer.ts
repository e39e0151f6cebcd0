// Runs in a worker with little memory: reads one list of streams and sends the fault.
import { parentPort, workerData } from 'node:worker_threads';
import { StreamRows } from '#adapters/twitch/wire/stream.ts';
import { PlatformError } from '#src/errors.ts';
import { httpClient } from '#src/http/client.ts';
import { systemClock } from '#src/clock.ts';

const http = httpClient({ platform: 'test', baseUrl: String(workerData), clock: systemClock });
try {
  (await http.request({ path: '/list' })).json(StreamRows);
  parentPort?.postMessage('none');
} catch (error) {
  parentPort?.postMessage(error instanceof PlatformError ? error.fault : String(error));
}
