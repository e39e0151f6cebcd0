/** A language as Twitch has it: `zh-hk` for `ZH_HK`. */
export function toCode(language: string): string {
  return language.toLowerCase().replaceAll('_', '-');
}
