/** What "done" means for a skill (docs/composer.md, step 7). */
import type { SkillPackage } from '../../skill/package.ts';
import type { ExitCondition, Limits } from '../composition.ts';

/** From the contract, bounded by the request's limit. */
export function exitConditionOf({ exit, outputSchema }: SkillPackage, { maxToolCalls }: Limits): ExitCondition {
  const bound = maxToolCalls === undefined ? {} : { maxToolCalls };
  if (exit.on === 'tool_budget') {
    return { on: exit.on, maxToolCalls: Math.min(exit.maxToolCalls, maxToolCalls ?? exit.maxToolCalls) };
  }
  if (exit.on === 'output_schema' && outputSchema) return { on: exit.on, schema: outputSchema.json, ...bound };
  if (exit.on === 'interrupt') return { ...exit, ...bound };
  return { on: 'caller', ...bound };
}
