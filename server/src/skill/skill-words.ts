/**
 * What a skill says of when it is to be chosen (docs/matching.md), and what a review asks of all, without places: an edit of
 * the body leaves it as it was.
 */
import { findValue, isNull, stringOf, type YamlNode } from '../languages/yaml/node.ts';
import { findSkillEntry, namesOf, type SkillContract } from './contract.ts';
import { same } from './same.ts';

export interface SkillWords {
  readonly description: string;
  readonly whenToUse: string;
  readonly tags: readonly string[];
  readonly triggerPhrases: readonly string[];
  readonly intentPatterns: readonly string[];
  /** Whether it names requests that are to lead to it, or not. */
  readonly hasRoutingCases: boolean;
  readonly hasSamples: boolean;
  /** Whether somebody answers for it. */
  readonly hasOwner: boolean;
}

/** Gives `before` where nothing of it has changed, so that the same object shows at once that nothing did. */
export function readSkillWords(root: YamlNode | undefined, contract: SkillContract, before?: SkillWords): SkillWords {
  const value = (key: string) => findSkillEntry(root, key)?.value;
  const texts = (key: string) => namesOf(value(key)).map(({ name }) => name);
  const words: SkillWords = {
    description: contract.description?.name ?? '',
    whenToUse: stringOf(value('when_to_use')) ?? '',
    tags: texts('tags'),
    triggerPhrases: texts('trigger_phrases'),
    intentPatterns: texts('intent_patterns'),
    hasRoutingCases:
      value('routing')?.kind === 'map' || contract.samples.some(({ value: sample }) => isSelected(sample)),
    hasSamples: contract.samples.length > 0,
    hasOwner: hasValue(value('owner')),
  };
  return before && same(words, before) ? before : words;
}

const hasValue = (node: YamlNode | undefined): boolean => node !== undefined && !isNull(node);

const isSelected = (sample: YamlNode): boolean => stringOf(findValue(sample, 'source')) === 'agent-selected';
