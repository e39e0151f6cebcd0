/** The sections whose steps run once with a list of changes. */
export const COLLECTING_SECTIONS = ['quiet', 'limit', 'gather'] as const;
export type CollectingSection = (typeof COLLECTING_SECTIONS)[number];

/** Whether the steps of a section run once with a list of changes, in `held`. */
export function isCollecting(section: string): section is CollectingSection {
  return COLLECTING_SECTIONS.some((one) => one === section);
}
