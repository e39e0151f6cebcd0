import { describe, expect, test } from 'vitest';
import { ada, scopeOf } from '../../support/rule-language.ts';
import { rendered } from './saying.ts';

const scope = scopeOf({ ...ada, title: '../../secret' });

describe('a file of a step', () => {
  test('is at an address that a record has, with or without what is said of it', () => {
    const files = ['${{ item.thumbnailUrl }}', { url: '${{ item.thumbnailUrl }}', altText: '${{ item.title }}' }];

    expect(rendered({ text: 'live', files }, {}, { scope })).toEqual({
      params: { text: 'live', files: [ada.thumbnailUrl, { url: ada.thumbnailUrl, altText: '../../secret' }] },
    });
  });

  test('is a path that the author wrote', () => {
    const files = ['cards/live.png', { path: 'cards/live.png' }, { id: '7', altText: 'A card' }];

    expect(rendered({ text: 'live', files }, {}, { scope })).toEqual({ params: { text: 'live', files } });
  });

  test('is left out where nothing says where it is', () => {
    const nowhere = { scope: scopeOf({ ...ada, thumbnailUrl: '' }) };
    const files = [{ url: '${{ item.thumbnailUrl }}', altText: 'A picture' }];

    expect(rendered({ text: 'live', files }, {}, nowhere)).toEqual({ params: { text: 'live' } });
  });

  test.for([['${{ item.title }}'], ['${{ "/etc/" + item.title }}']])('is none of this machine that a platform names: %s', ([file = '']) => {
    expect(rendered({ text: 'live', files: [file] }, {}, { scope })).toEqual({
      failure: expect.stringContaining('must begin with https://'),
    });
  });

  test('is in the folder that the author wrote, whatever a platform says', () => {
    expect(rendered({ text: 'live', files: ['cards/${{ item.title }}.png'] }, {}, { scope })).toEqual({
      params: { text: 'live', files: ['cards/____secret.png'] },
    });
  });
});
