import { describe, expect, test } from 'vitest';
import { ada, scopeOf } from '../../support/rule-language.ts';
import { rendered } from './fixture.ts';

const scope = scopeOf({ ...ada, title: '../../secret' });

describe('a file of a step', () => {
  test('may have the address and a description from a record', () => {
    const files = ['${{ item.thumbnailUrl }}', { url: '${{ item.thumbnailUrl }}', altText: '${{ item.title }}' }];

    expect(rendered({ text: 'live', files }, {}, { scope })).toEqual({
      params: { text: 'live', files: [ada.thumbnailUrl, { url: ada.thumbnailUrl, altText: '../../secret' }] },
    });
  });

  test('may have a literal path', () => {
    const files = ['cards/live.png', { path: 'cards/live.png' }, { id: '7', altText: 'A card' }];

    expect(rendered({ text: 'live', files }, {}, { scope })).toEqual({ params: { text: 'live', files } });
  });

  test('is omitted without an address', () => {
    const nowhere = { scope: scopeOf({ ...ada, thumbnailUrl: '' }) };
    const files = [{ url: '${{ item.thumbnailUrl }}', altText: 'A picture' }];

    expect(rendered({ text: 'live', files }, {}, nowhere)).toEqual({ params: { text: 'live' } });
  });

  test('may have a path from constants', () => {
    const constants = { vars: { folder: 'cards', cover: '../art/cover.png' }, each: {} };
    const names = { watch: 'streaming.getStreams', steps: {}, constants };
    const files = ['${{ vars.cover }}', { path: '${{ vars.cover }}' }, { path: '${{ vars.folder }}/${{ item.title }}.png' }];

    expect(rendered({ text: 'live', files }, {}, { scope, names })).toEqual({
      params: { text: 'live', files: ['../art/cover.png', { path: '../art/cover.png' }, { path: 'cards/____secret.png' }] },
    });
  });

  test('may be chosen by a condition between literal paths', () => {
    const path = '${{ item.viewerCount > 5000 ? "cards/many.png" : "cards/few.png" }}';

    expect(rendered({ text: 'live', files: [{ path }] }, {}, { scope })).toEqual({
      params: { text: 'live', files: [{ path: ada.viewerCount > 5000 ? 'cards/many.png' : 'cards/few.png' }] },
    });
  });

  const chosen = [
    '${{ item.title }}',
    '${{ "/etc/" + item.title }}',
    '${{ "cards/" + item.title }}',
    '${{ item.title }}${{ item.url }}',
    '${{ item.title }}.png',
    './${{ item.title }}',
    '../${{ item.title }}',
    '/${{ item.title }}',
    'cards/../${{ item.title }}',
    'C:\\${{ item.title }}',
    'card-${{ item.title }}.png',
  ];

  describe.each(['fanfare.yaml', '../../secret', '/etc/passwd', '.env', 'C:\\secret'])('if a platform returns %s', (title) => {
    test.each(chosen)('a path from the platform is an error: %s', (file) => {
      const options = { scope: scopeOf({ ...ada, title }) };
      const refused = { failure: expect.stringContaining('a fixed folder') };

      expect(rendered({ text: 'live', files: [{ path: file }] }, {}, options)).toEqual(refused);
      expect(rendered({ text: 'live', files: [file] }, {}, options)).toEqual(refused);
      expect(rendered({ channel: 'live', files: [{ path: file }] }, { do: 'discord.send' }, options)).toEqual(refused);
    });

    test('an address that is no URL is an error', () => {
      expect(rendered({ text: 'live', files: [{ url: '${{ item.title }}' }] }, {}, { scope: scopeOf({ ...ada, title }) })).toEqual({
        failure: expect.stringContaining('files[0]'),
      });
    });
  });

  test.each(['vars', 'each', 'rule', 'now'])('a loop variable named %s does not make platform text trusted', (name) => {
    const refused = { failure: expect.stringContaining('a fixed folder') };

    for (const files of [
      `\${{ [item].map(${name}, {"path": ${name}.title}) }}`,
      [{ path: `\${{ join([item.title].map(${name}, ${name}), "") }}` }],
      [{ path: `\${{ join([item.title].filter(${name}, ${name} != ""), "") }}` }],
    ]) {
      expect(rendered({ text: 'live', files }, {}, { scope })).toEqual(refused);
    }
  });

  test('may not be the key of a map that has platform text', () => {
    const refused = { failure: expect.stringContaining('a fixed folder') };

    expect(rendered({ text: 'live', files: [{ path: '${{ {item.title: ""}.map(key, key).join() }}' }] }, {}, { scope })).toEqual(refused);
    expect(rendered({ text: 'live', files: '${{ {item.title: ""}.map(key, {"path": key}) }}' }, {}, { scope })).toEqual(refused);
  });

  test('may be chosen by a loop over constants', () => {
    const constants = { vars: { pictures: ['/art/a.png', '', '/art/b.png'] }, each: {} };
    const names = { watch: 'streaming.getStreams', steps: {}, constants };
    const files = '${{ vars.pictures.filter(one, one != "" && one != item.title).map(one, {"path": one}) }}';

    expect(rendered({ text: 'live', files }, {}, { scope, names })).toEqual({
      params: { text: 'live', files: [{ path: '/art/a.png' }, { path: '/art/b.png' }] },
    });
  });

  test('may not be a record with a platform path', () => {
    const files = '${{ [{"path": item.title}] }}';

    expect(rendered({ text: 'live', files }, {}, { scope })).toEqual({ failure: expect.stringContaining('a fixed folder') });
  });

  test.each(['file:///etc/passwd', 'data:text/plain,secret', 'ftp://example.org/x'])('may not have the URL %s', (title) => {
    expect(rendered({ text: 'live', files: [{ url: '${{ item.title }}' }] }, {}, { scope: scopeOf({ ...ada, title }) })).toEqual({
      failure: expect.stringContaining('files[0]'),
    });
  });

  test.for([
    ['../../secret', 'cards/____secret.png'],
    ['..', 'cards/_.png'],
    ['.', 'cards/_.png'],
    ['.env', 'cards/_env.png'],
    ['a/b\\c', 'cards/a_b_c.png'],
    ['card.png:hidden', 'cards/card.png_hidden.png'],
    ['https://../../../secret', 'cards/https_________secret.png'],
    ['v1.2', 'cards/v1.2.png'],
  ])('stays in the literal folder for platform text %s', ([title = '', path = '']) => {
    const options = { scope: scopeOf({ ...ada, title }) };

    expect(rendered({ text: 'live', files: ['cards/${{ item.title }}.png'] }, {}, options)).toEqual({
      params: { text: 'live', files: [path] },
    });
    expect(rendered({ text: 'live', files: [{ path: 'cards/${{ item.title }}.png' }] }, {}, options)).toEqual({
      params: { text: 'live', files: [{ path }] },
    });
  });

  test('stays in the literal folder for two platform texts together', () => {
    const options = { scope: scopeOf({ ...ada, title: '.', language: '.' }) };

    expect(rendered({ text: 'live', files: [{ path: 'cards/${{ item.title }}${{ item.language }}/x.png' }] }, {}, options)).toEqual({
      params: { text: 'live', files: [{ path: 'cards/__/x.png' }] },
    });
  });

  test('may have platform text in a literal address', () => {
    const files = ['https://img.example.org/${{ item.owner.handle }}.png', '${{ item.thumbnailUrl }}?fresh=1'];

    expect(rendered({ text: 'live', files }, {}, { scope })).toEqual({
      params: { text: 'live', files: [`https://img.example.org/${ada.owner.handle}.png`, `${ada.thumbnailUrl}?fresh=1`] },
    });
  });
});
