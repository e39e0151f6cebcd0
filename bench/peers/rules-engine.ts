// In this folder, so that Node finds the peer among the packages of the benchmarks.
export { Engine, type RuleProperties } from 'json-rules-engine';
