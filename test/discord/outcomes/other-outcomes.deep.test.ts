import { type Group, GROUPS } from '../../../docs/generator/discord-outcomes/outcomes.ts';
import { compareOutcomes } from './compare-outcomes.ts';

const groups = Object.keys(GROUPS) as Group[]; // the keys of the table

compareOutcomes(groups.filter((_, index) => index % 2 === 1));
