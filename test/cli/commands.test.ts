import { describe, expect, test } from 'vitest';
import { runCommand } from '../support/run-command.ts';
import { runHere } from '../support/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function fanfare(...args: string[]): Promise<{ readonly code: number; readonly output: string }> {
  using directory = temporaryFolder();
  return runHere({ args, environment: { FANFARE_DATA: directory.path } });
}

describe('the command line', () => {
  test('check finds no problems in the shipped rules', async () => {
    const { code, output } = await fanfare('check');

    expect(output).toContain('no errors, 0 warnings');
    expect(code).toBe(0);
  });

  test('fanfare test runs the cases of the shipped rules', async () => {
    const { code, output } = await fanfare('test');

    expect(output).toMatch(/\n\d+ passed, 0 failed\n$/);
    expect(output).not.toContain('has no tests');
    expect(code).toBe(0);
  });

  test('fanfare test runs one rule by the name of its test file', async () => {
    const { output } = await fanfare('test', 'rules/live-card.test.yaml');

    expect(output).toContain('a failed poll closes nothing');
    expect(output).not.toContain('looks at streams with a thousand viewers');
  });

  test('explain shows the next runs and the cost', async () => {
    const { code, output } = await fanfare('explain', 'valorant-top');

    expect(output).toContain('Runs every 10s');
    expect(output.match(/\d\d:\d\d:\d\d UTC/g)).toHaveLength(5);
    expect(output).toContain('6 requests a minute');
    expect(output).toContain('No decisions yet.');
    expect(code).toBe(0);
  });

  test('explain lists the known rules for an unknown id', async () => {
    const { code, output } = await fanfare('explain', 'valorant');

    expect(output).toMatch(/^error: there is no rule valorant.*\n {2}Rules: .*live-card, .*valorant-top/m);
    expect(code).toBe(1);
  });

  test('schema prints a JSON Schema', async () => {
    const { output } = await fanfare('schema');

    expect(JSON.parse(output)).toMatchObject({ properties: { when: expect.anything() } });
  });

  test('capabilities lists the operations of each adapter, with reasons and alternatives', async () => {
    const { code, output } = await fanfare('capabilities');

    expect(output).toMatch(/^twitch \(streaming\): \d+ native/m);
    expect(output).toMatch(/^ {2}getStreams +list \(live\) +native/m);
    expect(output).toMatch(/^ {6}SearchClips +unsupported +NO_ENDPOINT: .* Instead: getUserClips, getGameClips\.$/m);
    expect(output).toMatch(/^composed +Fanfare builds it/m);
    expect(output).toMatch(/^live +the stream has ended$/m);
    expect(output).toMatch(/^In rules, write the name in brackets before the operation, such as streaming\.\w+\.$/m);
    expect(output).toMatch(/^ {2}getAssistantResponse +write +unsupported +PROVIDER_MISSING: Give SocialAsync/m);
    expect(code).toBe(0);
  });

  test('capabilities prints one adapter, and an error for an unknown one', async () => {
    const one = await fanfare('capabilities', 'discord');
    const none = await fanfare('capabilities', 'myspace');

    expect(one.output).toMatch(/^discord \(discord\): \d+ native/);
    expect(one.output).not.toContain('twitch');
    expect(none.output).toMatch(/^error: unknown platform myspace\n {2}Platforms: twitch, /);
    expect(none.code).toBe(1);
  });

  test('output without a terminal has no colours', async () => {
    expect((await fanfare('check')).output).not.toContain('\u001B');
  });

  test('an error in the environment is a message without a stack trace', async () => {
    const { code, output } = await runCommand({ args: ['start'], environment: { TWITCH_CLIENT_ID: 'x' } });

    expect(code).toBe(1);
    expect(output).toMatch(/^error: the environment: TWITCH_CLIENT_SECRET must also be set, because TWITCH_CLIENT_ID is set\n(?![\s\S])/m);
  });
});
