/** Checks the limits on calls of a policy, which may contradict each other (docs/format.md, section 6, "Contracts"). */
import type { Draft } from '../../finding.ts';
import { placesHere } from '../../finding.ts';
import { findValue, mapEntries, type YamlNode } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';

const SECONDS_OF_UNIT: ReadonlyMap<string, number> = new Map([
  ['sec', 1],
  ['min', 60],
  ['hour', 3600],
  ['day', 86_400],
]);

/** Reports a limit for one caller that has no effect because a global limit is lower. */
export function* checkLimits(file: SkillFile, policy: YamlNode): Iterable<Draft> {
  const limits = mapEntries(findValue(policy, 'rate_limit')).flatMap(readLimit);
  for (const own of limits.filter(({ isGlobal }) => !isGlobal)) {
    const reached = limits.find(({ isGlobal, perSecond }) => isGlobal && perSecond < own.perSecond);
    if (!reached) continue;
    yield {
      severity: 'warning',
      span: own.span,
      message: `\`${own.name}\` has no effect, because \`${reached.name}\` allows fewer calls for all callers together. Lower it, or raise \`${reached.name}\`.`,
      related: placesHere(file, [reached], `\`${reached.name}\` is set here`),
    };
  }
}

function readLimit({ key, value }: { key: YamlNode; value: YamlNode }) {
  const name = key.kind === 'scalar' ? String(key.value) : '';
  const seconds = SECONDS_OF_UNIT.get(/_per_(sec|min|hour|day)$/.exec(name)?.[1] ?? '');
  if (value.kind !== 'scalar' || typeof value.value !== 'number' || value.value <= 0 || seconds === undefined)
    return [];
  return [{ name, span: value.span, isGlobal: name.startsWith('global_'), perSecond: value.value / seconds }];
}
