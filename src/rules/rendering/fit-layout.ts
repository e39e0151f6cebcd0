import { charactersIn, fittedBlocks, MOST_LAYOUT_TEXT } from '#src/clients/operation/text/fitted-blocks.ts';
import { isJsonList, isJsonObject, type JsonObject } from '#src/clients/operation/json.ts';
import type { Fit } from '#src/rules/step.ts';
import { TooLong } from './fit-text.ts';

/** The rendered parameters of a message whose layout fits beside its pings. */
export function withFittedLayout(
  params: JsonObject,
  { fit, pings }: { readonly fit: Fit | undefined; readonly pings: number },
): JsonObject {
  const { layout } = params;
  const blocks = isJsonObject(layout) ? layout['blocks'] : undefined;
  if (!isJsonObject(layout) || !isJsonList(blocks)) return params;
  const [written, most] = [blocks.filter(isJsonObject), MOST_LAYOUT_TEXT - pings];
  const length = charactersIn(written);
  if (length <= most) return params;
  if (fit === 'error') {
    const limit = pings === 0 ? most : `${most} beside the pings`;
    throw new TooLong(`the texts of the layout have ${length} characters, and the limit is ${limit}`);
  }
  return { ...params, layout: { ...layout, blocks: fittedBlocks(written, most) } };
}
