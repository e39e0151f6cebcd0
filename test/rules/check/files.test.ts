import { describe, expect, test } from 'vitest';
import { diagnosticsOf } from '../../support/rule-language.ts';

/** A rule with a step that has a file. */
function rule(file: string, step = 'social.createPost'): string {
  const others = step === 'social.createPost' ? 'text: live' : 'channel: live';
  return [
    'id: r',
    'when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }',
    'vars: { folder: cards }',
    'then:',
    `  - { do: ${step}, with: { ${others}, files: [${file}] } }`,
  ].join('\n');
}

/** The diagnostics, without the warning of a missing description. */
function problemsOf(marked: string): readonly string[] {
  return diagnosticsOf(marked).filter((diagnostic) => !diagnostic.includes('missing-description'));
}

describe('a file of a step', () => {
  test.each([
    '{ path: "${{ ▲item.title }}" }',
    '{ path: "${{ ▲item.title }}.png" }',
    '{ path: "./${{ ▲item.title }}.png" }',
    '{ path: "card-${{ ▲item.title }}.png" }',
    '{ path: "${{ ▲\'cards/\' + item.title }}" }',
    '{ path: "${{ item.rank }}-${{ ▲item.title }}.png" }',
  ])('whose path a platform would choose is an error: %s', (file) => {
    for (const step of ['social.createPost', 'discord.send']) {
      expect(problemsOf(rule(file, step))).toEqual([`▲ error untrusted-path then[0].with.files[0].path`]);
    }
  });

  test('whose path or address begins with platform text is an error after a literal', () => {
    expect(problemsOf(rule('"card-${{ ▲item.title }}.png"'))).toEqual([`▲ error untrusted-path then[0].with.files[0]`]);
  });

  test.each([
    '"${{ item.thumbnailUrl }}"',
    '"${{ item.thumbnailUrl }}?fresh=1"',
    '"https://img.example.org/${{ item.owner.handle }}.png"',
    '{ url: "${{ item.thumbnailUrl }}" }',
    '{ path: "cards/${{ item.id }}.png" }',
    '"cards/${{ item.id }}.png"',
    '{ path: "${{ vars.folder }}/${{ item.id }}.png" }',
    '{ path: "${{ vars.folder }}" }',
    "{ path: \"${{ item.viewerCount > 1000 ? 'many.png' : 'few.png' }}\" }",
  ])('is valid as %s', (file) => {
    expect(problemsOf(rule(file))).toEqual([]);
  });
});
