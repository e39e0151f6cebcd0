import { below, createDice } from '../../world/dice.ts';

export interface Drawing {
  /** The same key is the same picture. */
  readonly key: string;
  readonly label: string;
  /** Put into a corner, as `LIVE`. */
  readonly badge?: string | undefined;
  readonly width: number;
  readonly height: number;
}

/** A picture in SVG: soft colours, a few circles, a label. */
export function draw({ key, label, badge, width, height }: Drawing): string {
  const dice = createDice(0, key);
  const hue = below(360, dice(1));
  const size = Math.min(width, height);
  const circles = [2, 3, 4, 5].map((each) => {
    const x = Math.round(width * dice(each, 1));
    const y = Math.round(height * dice(each, 2));
    const radius = Math.round(size * (0.15 + 0.35 * dice(each, 3)));
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="hsl(${(hue + 40 * each) % 360} 80% 60%)" fill-opacity=".25"/>`;
  });
  const fontSize = Math.max(6, Math.min(size / (label.length === 1 ? 2 : 5), (1.25 * width) / label.length));
  const pill = Math.max(6, size / 14);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop stop-color="hsl(${hue} 70% 42%)"/>`,
    `<stop offset="1" stop-color="hsl(${(hue + 70) % 360} 75% 24%)"/></linearGradient>`,
    `<rect width="100%" height="100%" fill="url(#g)"/>`,
    ...circles,
    `<text x="50%" y="50%" fill="#fff" font-family="system-ui,sans-serif" font-weight="700" font-size="${fontSize.toFixed(1)}"`,
    ` text-anchor="middle" dominant-baseline="central">${escaped(label)}</text>`,
    ...(badge
      ? [
          `<rect x="${pill / 2}" y="${pill / 2}" width="${pill * 3.4}" height="${pill * 1.6}" rx="${pill / 3}" fill="#e91916"/>`,
          `<text x="${pill * 2.2}" y="${pill * 1.3}" fill="#fff" font-family="system-ui,sans-serif" font-weight="700"`,
          ` font-size="${pill}" text-anchor="middle" dominant-baseline="central">${escaped(badge)}</text>`,
        ]
      : []),
    '</svg>',
  ].join('');
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
