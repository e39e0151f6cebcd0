import { readdirSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileAct, Unreadable, Way } from './acts.ts';
import { damage, writeAs } from './editors.ts';
import type { ExpectedFile, ExpectedRules } from './expected-rules.ts';
import { brokenTextOf, textOf, type WrittenRule } from './rule-text.ts';

/** A rules folder that people edit with programs. */
export class EditedFolder {
  readonly path: string;
  readonly #expected: ExpectedRules;
  readonly #reload: () => Promise<void>;
  /** The folder at earlier times, oldest first. */
  readonly #history: ReadonlyMap<string, ExpectedFile>[] = [];
  /** The test files that were written. */
  readonly #tests = new Map<string, string>();
  #marks = 0;

  constructor(path: string, expected: ExpectedRules, reload: () => Promise<void>) {
    this.path = path;
    this.#expected = expected;
    this.#reload = reload;
  }

  nextMark(): number {
    return ++this.#marks;
  }

  /** Whether a rule file with these tests can be added. */
  isFree(file: string, tests: string | undefined): boolean {
    return !this.#expected.files.has(file) && (tests === undefined || !this.#tests.has(testsOf(file)));
  }

  /** Notes the files that Fanfare wrote. */
  add(file: string, found: ExpectedFile, tests: string | undefined): void {
    const { files } = this.#expected;
    if (files.has(file)) this.#expected.break(`${file} was overwritten`);
    files.set(file, found);
    if (tests !== undefined) this.#tests.set(testsOf(file), tests);
  }

  /** Checks that the folder has what people wrote, and nothing else. */
  look(): void {
    const { files } = this.#expected;
    const texts = new Map([...this.#tests, ...[...files].map(([file, { text }]) => [file, text] as const)]);
    const isReadable = (file: string): boolean => !files.get(file)?.unreadable;
    const names = readdirSync(this.path).filter((name) => name !== '.shared');
    this.#expected.same('the folder', names.toSorted(), [...texts.keys()].toSorted());
    for (const [file, text] of texts)
      if (names.includes(file) && isReadable(file)) this.#expected.same(file, readFileSync(join(this.path, file), 'utf8'), text);
    this.#history.push(new Map(files));
  }

  async #write(file: string, way: Way, found: ExpectedFile): Promise<void> {
    const { files } = this.#expected;
    const during = async (): Promise<void> => {
      if (way === 'backup') files.delete(file);
      else files.set(file, { text: '', names: found.names, rule: undefined });
      await this.#reload();
    };
    const text = await writeAs({ folder: this.path, file, text: found.text, way: this.#wayOf(file, found, way), during });
    files.set(file, { ...found, text });
  }

  /** A text editor replaces a file that it cannot read. */
  #wayOf(file: string, { text }: ExpectedFile, way: Way): Way {
    if (this.#expected.files.get(file)?.unreadable) return 'replaced';
    return text === '' ? 'inPlace' : way;
  }

  #fileAt(number: number): readonly [string, ExpectedFile] | undefined {
    const all = [...this.#expected.files].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return all[number % Math.max(1, all.length)];
  }

  async edit(act: FileAct): Promise<void> {
    const { files } = this.#expected;
    const folder = this.path;
    if (act.kind === 'create') {
      const file = `live-${act.name}.yaml`;
      if (!files.has(file))
        await this.#writeRule(file, act.way, { id: `live-${act.name}`, isOn: true, mark: this.nextMark(), comments: 0 });
      return;
    }
    if (act.kind === 'checkout') return this.#checkOut(this.#history.at(-1 - act.back));
    const [file, found] = this.#fileAt(act.file) ?? [];
    if (file === undefined || !found) return;
    const rule = found.rule ?? { id: found.names ?? file.replace('.yaml', ''), isOn: true, mark: 0, comments: 0 };
    const mark = this.nextMark();
    switch (act.kind) {
      case 'write':
        return this.#writeRule(file, act.way, { ...rule, mark });
      case 'comment':
        return this.#writeRule(file, act.way, { ...rule, mark: rule.mark === 0 ? mark : rule.mark, comments: rule.comments + 1 });
      case 'turn':
        return this.#writeRule(file, act.way, { ...rule, mark, isOn: !rule.isOn });
      case 'forget':
        return this.#writeRule(file, act.way, { ...rule, mark, was: undefined });
      case 'break':
        return this.#write(file, act.way, { text: brokenTextOf(rule), names: rule.id, rule: undefined });
      case 'split':
        return this.#writeRule(file, act.way, { ...rule, mark, each: act.each });
      case 'start':
        return this.#writeRule(file, act.way, { ...rule, mark, start: act.value });
      case 'damage':
        return this.#damage(file, act.how);
      case 'empty':
        return this.#write(file, act.way, { text: '', names: undefined, rule: undefined });
      case 'rename':
        return this.#writeRule(file, act.way, { ...rule, mark, id: `${rule.id}x`, was: act.isMarked ? rule.id : undefined });
      case 'continue': {
        const [, other] = this.#fileAt(act.other) ?? [];
        return other?.names === undefined || other.names === rule.id
          ? undefined
          : this.#writeRule(file, 'inPlace', { ...rule, mark, was: other.names });
      }
      case 'copy':
        if (!files.has(`copy-${act.name}.yaml`) && !found.unreadable) await this.#write(`copy-${act.name}.yaml`, 'inPlace', found);
        return;
      case 'move':
      case 'take': {
        const to = act.kind === 'move' ? `moved-${act.name}.yaml` : (this.#fileAt(act.name)?.[0] ?? file);
        await rename(join(folder, file), join(folder, to));
        files.delete(file);
        files.set(to, found);
        return;
      }
      case 'remove':
        await rm(join(folder, file));
        files.delete(file);
    }
  }

  async #damage(file: string, how: Unreadable): Promise<void> {
    await damage({ folder: this.path, file, how });
    this.#expected.files.set(file, { text: '', names: undefined, rule: undefined, unreadable: how });
  }

  #writeRule(file: string, way: Way, rule: WrittenRule): Promise<void> {
    return this.#write(file, way, { text: textOf(rule), names: rule.id, rule });
  }

  /** Restores all files as they were, as a version control system does. */
  async #checkOut(wanted: ReadonlyMap<string, ExpectedFile> | undefined): Promise<void> {
    const { files } = this.#expected;
    const folder = this.path;
    if (!wanted) return;
    for (const file of files.keys()) if (!wanted.has(file)) await rm(join(folder, file));
    for (const [file, found] of wanted) {
      const now = files.get(file);
      if (now?.text === found.text && now.unreadable === found.unreadable) continue;
      if (found.unreadable) await damage({ folder, file, how: found.unreadable });
      else await writeAs({ folder, file, text: found.text, way: 'replaced', during: () => Promise.resolve() });
    }
    this.#expected.files = new Map(wanted);
  }
}

function testsOf(file: string): string {
  return file.replace('.yaml', '.test.yaml');
}
