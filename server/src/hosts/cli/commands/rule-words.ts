/** The values of options that name rules or formats of findings: apart from `words.ts`, since they bring all rules. */
import { resolve } from 'node:path';
import { SEVERITIES } from '../../../finding.ts';
import { didYouMean, nearestNames } from '../../../nearest.ts';
import { findRule, rules } from '../../../rules/index.ts';
import { CHECK_FORMATS } from '../formats/check-formats.ts';
import { Stop } from '../stop.ts';
import { parseWord } from '../words.ts';
import type { Output } from './check.ts';

/** `FORMAT=FILE`, repeated. */
export function parseOutputs(words: readonly string[]): readonly Output[] {
  const outputs = words.map((word) => {
    const equals = word.indexOf('=');
    const path = word.slice(equals + 1);
    if (equals < 0 || path === '')
      throw new Stop(`\`--out ${word}\` names no file: write \`--out sarif=skills.sarif\`.`);
    const format = parseWord(word.slice(0, equals), CHECK_FORMATS, '--out');
    if (path === '-') throw new Stop(`\`--out ${word}\` names no file: \`--format ${format}\` prints the result.`);
    return { format, path };
  });
  const twice = outputs.find(({ path }, at) => outputs.findIndex((one) => resolve(one.path) === resolve(path)) !== at);
  if (twice) throw new Stop(`\`--out\` names \`${twice.path}\` twice, and one result would replace the other.`);
  return outputs;
}

/** `NAME=SEVERITY`, repeated; a rule may be called by its number. The last word on a rule counts. */
export function parseOverrides(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const equals = word.indexOf('=');
      if (equals < 0) throw new Stop(`\`--rule ${word}\` sets no severity: write \`--rule ${word || 'NAME'}=off\`.`);
      const severity = parseWord(word.slice(equals + 1), [...SEVERITIES, 'off'], `--rule ${word.slice(0, equals)}=`);
      return [ruleCalled(word.slice(0, equals), '--rule').name, severity];
    }),
  );
}

/** The rule of a name or number, in any case. */
export function ruleCalled(word: string, where: string) {
  const rule = findRule(word) ?? findRule(word.toLowerCase());
  if (rule) return rule;
  const near = nearestNames(
    word,
    rules.flatMap(({ name, number }) => [name, ...(number === undefined ? [] : [number])]),
  );
  const advice = didYouMean(near) || ' `skill-composer explain` lists the rules.';
  throw new Stop(`${where}: there is no rule \`${word}\`.${advice}`);
}
