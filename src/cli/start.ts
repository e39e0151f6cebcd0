import type { App, startApp } from '#src/app.ts';
import { untilStopped } from './until-stopped.ts';
import type { Terminal } from './terminal.ts';

export interface StartOptions {
  readonly startApp: typeof startApp;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: Terminal;
  /** Called when Fanfare runs: resolves when it is to stop. */
  readonly untilStopped?: (() => Promise<void>) | undefined;
}

/** Runs Fanfare until the process is asked to stop; after the clock was set back, it starts anew in this process. */
export async function start({ startApp: begin, environment, out, untilStopped: wait = untilStopped }: StartOptions): Promise<void> {
  let running: App | undefined;
  let stopped: Promise<'stop'> | undefined;
  for (let next: 'stop' | 'start anew' = 'start anew'; next === 'start anew';) {
    await using app = await begin({ environment, color: out.color, write: (line) => out.print(line.trimEnd()) });
    for (const problem of app.problems) out.printError(`${problem}\n`);
    for (const line of summary(app, out)) out.print(line);
    if (!running) process.on('SIGHUP', () => void running?.reload().then((isOther) => isOther || out.print('the rules are as they were')));
    running = app;
    stopped ??= wait().then(() => 'stop');
    next = await Promise.race([stopped, app.clockSetBack.then(() => 'start anew' as const)]);
    if (next === 'stop') out.print(out.paint('dim', 'stopping'));
  }
}

const PLAYS: Readonly<Record<App['sandbox'], string>> = {
  inside: 'runs on the sandbox: no account is used, nothing leaves this machine',
  outside: 'runs on a sandbox elsewhere: no real account is used',
  none: 'runs on real accounts',
};

function summary({ url, rules, out: left, sandbox }: App, out: Terminal): readonly string[] {
  return [
    '',
    `  ${out.paint('bold', 'Fanfare')} ${PLAYS[sandbox]}`,
    `  ${out.paint('cyan', url)}`,
    '',
    ...(rules.length > 0 ? [`  rules: ${rules.join(', ')}`] : [`  no rule runs`]),
    ...left.map(({ file, errors, goesOn }) => {
      const count = `${errors} ${errors === 1 ? 'error' : 'errors'}, told above`;
      return goesOn ? out.paint('yellow', `  as before: ${file} (${count})`) : out.paint('red', `  out: ${file} (${count})`);
    }),
    '',
  ];
}
