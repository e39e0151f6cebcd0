import { useTexts, type Texts } from './language.ts';

interface Numbers {
  readonly count: (value: number) => string;
  /** For example `12.3K`. */
  readonly compact: (value: number) => string;
  readonly usd: (value: number) => string;
  /** A share from 0 to 1. */
  readonly percent: (value: number) => string;
  /** A span of time in milliseconds, for example `0.9s`. */
  readonly span: (ms: number) => string;
}

const NUMBERS: Texts<Numbers> = { en: numbersOf('en'), de: numbersOf('de') };

function numbersOf(locale: string): Numbers {
  const format = (options: Intl.NumberFormatOptions) => {
    const made = new Intl.NumberFormat(locale, options);
    return (value: number) => made.format(value);
  };
  const unit = (name: string) => format({ style: 'unit', unit: name, unitDisplay: 'narrow', maximumFractionDigits: 1 });
  const currency = { style: 'currency', currency: 'USD' } as const;
  // Requests can cost less than a cent.
  const [smallUsd, wholeUsd] = [format({ ...currency, maximumFractionDigits: 3 }), format(currency)];
  const [seconds, minutes, hours] = [unit('second'), unit('minute'), unit('hour')];
  return {
    count: format({}),
    compact: format({ notation: 'compact', maximumFractionDigits: 1, useGrouping: 'always' }),
    usd: (value) => (value < 1 ? smallUsd : wholeUsd)(value),
    percent: format({ style: 'percent' }),
    span: (ms) => (ms < 120_000 ? seconds(ms / 1000) : ms < 7_200_000 ? minutes(ms / 60_000) : hours(ms / 3_600_000)),
  };
}

/** The formats of numbers in the language of the reader. Only for components. */
export function useNumbers(): Numbers {
  return useTexts(NUMBERS);
}
