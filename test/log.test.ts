import { describe, expect, test } from 'vitest';
import { createLog, withoutSecrets } from '#src/log.ts';
import { PlatformError } from '#src/errors.ts';

const SECRET = 'p4ss/w0rd+"quoted"';

function logged(write: (log: ReturnType<typeof createLog>) => void, { secrets = [] as string[], color = false } = {}): string[] {
  const lines: string[] = [];
  write(createLog({ level: 'debug', secrets, color, write: (line) => lines.push(line) }));
  return lines;
}

describe('a line of the log', () => {
  test('has a time, a level, a message and fields', () => {
    const [line = ''] = logged((log) => log.info({ rule: 'live-card', why: 'it is time' }, 'rule fired'));

    expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ info {2}rule fired rule=live-card why="it is time"\n$/);
  });

  test('is one line, even with line breaks in a field', () => {
    const [line = ''] = logged((log) => log.warn({ title: 'a\nb', name: 'b\u001B[31mc' }, 'odd'));

    expect(line.trimEnd()).not.toMatch(/\p{Cc}/u);
  });

  test.for([
    ['U+009B, which begins a control sequence', '\u009b31m'],
    ['U+202E, which turns text around', '\u202Egnp.exe'],
    ['an isolate', '\u2066a\u2069'],
    ['a line separator', 'a\u2028b'],
    ['DEL', 'a\u007F'],
  ] as const)('escapes %s', ([, foreign]) => {
    for (const color of [false, true]) {
      const [line = ''] = logged((log) => log.warn({ title: foreign, deep: { foreign }, error: new Error(foreign) }, `odd ${foreign}`), {
        color,
      });

      const withoutStyles = line.replaceAll(/\p{Cc}\[\d+m|\n$/gu, '');
      expect(withoutStyles).not.toMatch(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u);
      expect(withoutStyles).toMatch(/odd .*\\u(?:009b|202e|2066|2028|007f).* title="/u);
    }
  });

  test('has the message of a platform error, and the stack trace of a bug', () => {
    const refused = new PlatformError('Twitch answered 401', {
      platform: 'twitch',
      fault: 'unauthorized',
      cause: new Error('body with things'),
    });

    const [known = '', defect = ''] = logged((log) => {
      log.error({ error: refused }, 'poll failed');
      log.error({ error: new TypeError('x is not a function') }, 'poll failed');
    });

    expect(known).toContain('error="Twitch answered 401"');
    expect(known).not.toContain('body with things');
    expect(defect).toContain('log.test.ts');
  });
});

describe('secrets', () => {
  test.for([
    ['in plain text', SECRET],
    ['in an address', `https://example.org/?token=${encodeURIComponent(SECRET)}`],
    ['in JSON', JSON.stringify({ token: SECRET })],
    ['in a header', `Basic ${Buffer.from(SECRET).toString('base64')}`],
  ] as const)('are removed %s', ([, text]) => {
    const [line = ''] = logged((log) => log.error({ deep: { deeper: { text } }, error: new Error(text) }, text), { secrets: [SECRET] });

    expect(line).toContain('[secret]');
    expect(line).not.toContain('w0rd');
    expect(line).not.toContain(Buffer.from(SECRET).toString('base64'));
  });

  test('that become known later are removed from later lines, also of children', () => {
    const lines: string[] = [];
    const log = createLog({ level: 'debug', secrets: [SECRET], color: false, write: (line) => lines.push(line) });
    const child = log.child({ account: 'x' });

    child.conceal('x', ['access-1', 'refresh-1']);
    log.conceal('bluesky', ['jwt-1']);
    for (const one of [log, child]) one.warn({ text: `access-1 refresh-1 jwt-1 ${SECRET}` }, 'echoed');

    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toContain('text="[secret] [secret] [secret] [secret]"');
  });

  test('of one owner are limited to the newest ones', () => {
    const lines: string[] = [];
    const log = createLog({ level: 'debug', secrets: [], color: false, write: (line) => lines.push(line) });

    for (let count = 100; count < 1_000; count++) log.conceal('x', [`token-${count}`]);
    log.conceal('x', ['token-999']);
    log.info({ text: 'token-100 token-990 token-999' }, 'echoed');

    expect(lines[0]).toContain('text="token-100 [secret] [secret]"');
  });

  test('a secret inside a longer secret leaves no rest', () => {
    expect(withoutSecrets(['abcd', 'abcdefgh'])('x abcdefgh y abcd')).toBe('x [secret] y [secret]');
  });
});
