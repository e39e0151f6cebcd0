import { describe, expect, test } from 'vitest';
import { launch } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function fanfare(...args: string[]): Promise<{ readonly code: number | undefined; readonly output: string }> {
  using directory = temporaryFolder();
  return run(args, directory.path);
}

async function run(
  args: readonly string[],
  dataDirectory: string,
): Promise<{ readonly code: number | undefined; readonly output: string }> {
  const command = await launch({ args, environment: { FANFARE_DATA: dataDirectory } });
  const code = await command.exit;
  return { code, output: command.output() };
}

describe.concurrent('the command line', () => {
  test('start says where the state cannot be kept, without a trace', async () => {
    const { code, output } = await run(['start'], 'package.json');

    expect(output).toMatch(/^error package\.json: the folder for the state cannot be made\n/);
    expect(output).not.toMatch(/\n +at /);
    expect(code).toBe(1);
  });

  test('check finds nothing wrong with the rules that ship', async () => {
    const { code, output } = await fanfare('check');

    expect(output).toContain('no errors, 0 warnings');
    expect(code).toBe(0);
  });

  test('the command test runs the cases beside the rules that ship', async () => {
    const { code, output } = await fanfare('test');

    expect(output).toMatch(/\n\d+ passed, 0 failed\n$/);
    expect(output).not.toContain('no test beside it');
    expect(code).toBe(0);
  });

  test('the command test runs one rule by the name of its test file', async () => {
    const { output } = await fanfare('test', 'rules/live-card.test.yaml');

    expect(output).toContain('a failed poll closes nothing');
    expect(output).not.toContain('looks at streams with a thousand viewers');
  });

  test('explain tells the next runs, the cost and with whom it is shared', async () => {
    const { code, output } = await fanfare('explain', 'valorant-top');

    expect(output).toContain('Runs every 10s');
    expect(output.match(/\d\d:\d\d:\d\d UTC/g)).toHaveLength(5);
    expect(output).toContain('6 requests a minute');
    expect(output).toContain('has not decided anything yet');
    expect(code).toBe(0);
  });

  test('explain of a rule that there is not names those that there are', async () => {
    const { code, output } = await fanfare('explain', 'valorant');

    expect(output).toMatch(/There are: .*live-card, .*valorant-top/);
    expect(code).toBe(1);
  });

  test('schema prints a JSON Schema', async () => {
    const { output } = await fanfare('schema');

    expect(JSON.parse(output)).toMatchObject({ properties: { when: expect.anything() } });
  });

  test('capabilities tells what each adapter can do, why not, and what to do instead', async () => {
    const { code, output } = await fanfare('capabilities');

    expect(output).toMatch(/^twitch \(streaming\): \d+ native/m);
    expect(output).toMatch(/^ {2}getStreams +list \(live\) +native/m);
    expect(output).toMatch(/^ {6}SearchClips +unsupported +NO_ENDPOINT: .* Instead: getUserClips, getGameClips\.$/m);
    expect(output).toMatch(/^composed +Fanfare puts it together/m);
    expect(output).toMatch(/^live +it has ended$/m);
    expect(output).toContain('A rule writes the word in brackets in front, as streaming.getUser.');
    expect(output).toMatch(/^ {2}getAssistantResponse +write +unsupported +PROVIDER_MISSING: Give SocialAsync/m);
    expect(code).toBe(0);
  });

  test('capabilities of one adapter are those alone, and of one that there is not are an error that names the others', async () => {
    const one = await fanfare('capabilities', 'discord');
    const none = await fanfare('capabilities', 'myspace');

    expect(one.output).toMatch(/^discord \(discord\): \d+ native/);
    expect(one.output).not.toContain('twitch');
    expect(none.output).toMatch(/^There is no adapter myspace\. There are: twitch, /);
    expect(none.code).toBe(1);
  });

  test('output that goes elsewhere than to a terminal has no colours', async () => {
    expect((await fanfare('check')).output).not.toContain('\u001B');
  });

  test('a mistake in the environment is a sentence, not a trace', async () => {
    const command = await launch({ args: ['start'], environment: { TWITCH_CLIENT_ID: 'x' } });

    expect(await command.exit).toBe(1);
    expect(command.output()).toBe('error the environment: TWITCH_CLIENT_SECRET must be set, too, beside TWITCH_CLIENT_ID\n');
  });
});
