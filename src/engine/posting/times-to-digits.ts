const HOURS: readonly (readonly string[])[] = [
  ['two', 'zwei'],
  ['three', 'drei'],
  ['four', 'vier'],
  ['five', 'fünf'],
  ['six', 'sechs'],
  ['seven', 'sieben'],
  ['eight', 'acht'],
  ['nine', 'neun'],
  ['ten', 'zehn'],
  ['eleven', 'elf'],
  ['twelve', 'zwölf'],
];
const NUMBERS: ReadonlyMap<string, string> = new Map([
  ['eins', '1'],
  ...HOURS.flatMap((words, index) => words.map((word) => [word, String(index + 2)] as const)),
]);

/** A time with a dot, which can be a date: `um 9.30`, `9.30 pm`, `18.30`. */
const DOTTED = /(?<=^| )(?<lead>(?:um|at|@) ?)?(?<hour>\d{1,2})\.(?<minute>\d{2})(?=(?<end> ?(?:[ap]\.?m\b|uhr))?)(?=$|[ ,apu])/gu;
const HALF = /\b(?:halb|(?<past>half past)) (?<hour>\d{1,2})\b(?![:.])/gu;
const QUARTER =
  /\b(?:(?<after>(?:a )?quarter (?:past|after)|viertel nach)|(?:a )?quarter to|viertel vor|dreiviertel) (?<hour>\d{1,2})\b(?![:.])/gu;

/** The text with the words of numbers in digits. */
export function numbersToDigits(text: string): string {
  return text.replaceAll(/\p{L}+/gu, (word) => NUMBERS.get(word) ?? word);
}

/** The text with times in digits. A time of 12 hours, for example `halb 10`, becomes `~9:30`: it can be in the morning and in the evening. */
export function timesToDigits(text: string): string {
  return numbersToDigits(text)
    .replaceAll(DOTTED, (written, lead: string | undefined, hour: string, minute: string, end: string | undefined) => {
      const isDate = Number(minute) >= 1 && Number(minute) <= 12 && Number(hour) >= 1 && Number(hour) <= 31;
      return isDate && lead === undefined && end === undefined ? written : `${lead ?? ''}${hour}:${minute}`;
    })
    .replaceAll(HALF, (_, past: string | undefined, hour: string) => spoken(Number(hour), past === undefined ? -30 : 30))
    .replaceAll(QUARTER, (_, after: string | undefined, hour: string) => spoken(Number(hour), after === undefined ? -15 : 15));
}

/** The minutes before or after an hour. Hours after 12, and 0, are complete. */
function spoken(hour: number, minutes: number): string {
  const [full, minute] = minutes < 0 ? [hour - 1, 60 + minutes] : [hour, minutes];
  return `${hour >= 1 && hour <= 12 ? '~' : ''}${full}:${minute}`;
}
