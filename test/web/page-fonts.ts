import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { blockFont, type FontMetrics } from '../support/block-font.ts';

/** Fonts for layout tests: the font of this machine, and two very different ones. */
export const FONTS: readonly (readonly [name: string, metrics: FontMetrics | undefined])[] = [
  ['the font of this machine', undefined],
  ['a narrow, low font', { advance: 420, ascent: 760, descent: 200 }],
  ['a wide font that hangs low', { advance: 680, ascent: 810, descent: 640 }],
];

/** Differs from each of them, so that a line with code in it has two fonts. */
const CODE_FONT: FontMetrics = { advance: 600, ascent: 1050, descent: 130 };

/** Shows the page in a font of these metrics, which covers all characters. */
export async function setFont(page: Page, font: FontMetrics): Promise<void> {
  const face = (family: string, metrics: FontMetrics): string =>
    `@font-face { font-family: ${family}; font-weight: 100 900; src: url(data:font/ttf;base64,${blockFont(metrics).toString('base64')}) }`;
  await page.addStyleTag({
    content: `${face('Text', font)} ${face('Code', CODE_FONT)} html { font-family: Text } code { font-family: Code }`,
  });
  const states = await page.evaluate<readonly string[]>(
    'Promise.all([...document.fonts].map((face) => face.load())).then((faces) => faces.map(({ status }) => status))',
  );
  expect(states).toEqual(['loaded', 'loaded']);
}
