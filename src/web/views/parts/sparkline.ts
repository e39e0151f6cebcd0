import { html } from '../html.ts';
import type { VNode } from '../preact.mjs';

const BAR_WIDTH = 7;
const GAP = 2;
const HEIGHT = 20;
/** A day without announcements keeps a line, so that the days can be counted. */
const LEAST_HEIGHT = 1;

interface SparklineProps {
  /** Undefined: unknown, without a bar. */
  readonly counts: readonly (number | undefined)[];
  /** The counts as a text, for screen readers and as a tooltip. */
  readonly text: string;
}

/** A small bar for each count. Its size is in attributes, because the page forbids inline styles. */
export function Sparkline({ counts, text }: SparklineProps): VNode {
  const most = Math.max(1, ...counts.map((count = 0) => count));
  const width = counts.length * (BAR_WIDTH + GAP) - GAP;
  return html`<svg class="sparkline" role="img" viewBox="0 0 ${width} ${HEIGHT}" width=${width} height=${HEIGHT} aria-label=${text}>
    <title>${text}</title>
    ${counts.map((count, index) => {
      if (count === undefined) return undefined;
      const height = Math.max(LEAST_HEIGHT, Math.round((count / most) * HEIGHT));
      return html`<rect
        key=${index}
        class=${count === 0 ? 'zero' : ''}
        x=${index * (BAR_WIDTH + GAP)}
        y=${HEIGHT - height}
        width=${BAR_WIDTH}
        height=${height}
      />`;
    })}
  </svg>`;
}
