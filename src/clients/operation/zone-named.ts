import { isZone } from './zone.ts';

/** Most cities of the IANA time zones are below one of these names. */
const REGIONS = ['Africa', 'America', 'Antarctica', 'Asia', 'Atlantic', 'Australia', 'Europe', 'Indian', 'Pacific'];

/** Other abbreviations are refused: in Node.js, `BST` is Dhaka, and `EST` has no summer time. */
const ABBREVIATIONS: readonly string[] = ['UTC', 'GMT', 'CET', 'EET', 'MET', 'WET'];

/**
 * The zone with an IANA name, or of the only city with a name, in any case and with any accents. The name stays as the person typed it,
 * because the main name of a zone can be an older one or that of another country: `Europe/Kiev` for Kyiv, `Europe/Brussels` for CET.
 * Undefined: there is no such zone, or it is an offset, which does not follow the clock changes.
 */
export function zoneNamed(typed: string): string | undefined {
  const name = typed.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/\s+/gu, '_');
  if (/^[+-]/u.test(name)) return undefined;
  if (isZone(name)) return name.length !== 3 || ABBREVIATIONS.includes(name.toUpperCase()) ? spelled(name) : undefined;
  const cities = [
    ...Intl.supportedValuesOf('timeZone').filter((one) => one.toLowerCase().endsWith(`/${name.toLowerCase()}`)),
    ...REGIONS.map((region) => `${region}/${name}`).filter(isZone),
  ];
  const [zone, ...others] = cities;
  return zone !== undefined && others.every((one) => mainName(one) === mainName(zone)) ? spelled(zone) : undefined;
}

/** The error of a text that names no time zone. */
export const ZONE_ERROR =
  'unknown time zone: write a zone or a city, for example Europe/Berlin; with offsets and abbreviations, times can be an hour off after the clocks change';

function spelled(name: string): string {
  const main = mainName(name);
  if (main.toLowerCase() === name.toLowerCase()) return main;
  return name.includes('/') ? name.replaceAll(/(?<![a-z])[a-z]/giu, (letter) => letter.toUpperCase()) : name.toUpperCase();
}

/** The name of the zone in its usual spelling, under which Node.js lists it. */
function mainName(name: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
}
