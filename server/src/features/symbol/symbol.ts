/** Which symbol stands at a place: hover, definition, references, highlights and rename all begin with it. */
import type { SkillFile } from '../../skill/skill-file.ts';
import { findTouching, spanOf, touches } from '../../text.ts';
import { artifactKeys } from '../../vocabulary/artifact-keys.ts';
import { tableOf } from '../../vocabulary/tables.ts';
import { symbolInBody } from './in-body.ts';
import { symbolInCondition, symbolInTemplate } from './in-template.ts';
import { symbolInExample, symbolInYaml } from './in-yaml.ts';
import type { SkillSymbol } from './skill-symbol.ts';

export function symbolAt(file: SkillFile, offset: number): SkillSymbol | undefined {
  const { frontmatter, contract, dialect } = file;
  if (offset < frontmatter.bodyStart) {
    // Conditions and suppressions are read with the body, which a search in many files should not parse.
    const inCondition = contract.interrupts.some(({ when }) => when && touches(when.span, offset));
    const inComment = findTouching(frontmatter.tree.comments, offset, spanOf) !== undefined;
    return (
      (inCondition ? symbolInCondition(file, offset) : undefined) ??
      symbolInYaml(file, frontmatter.tree, tableOf(dialect), offset) ??
      (inComment ? symbolInSuppression(file, offset) : undefined)
    );
  }
  const metadata = findTouching(file.metadata, offset, ({ tree }) => tree.span);
  const example = findTouching(file.examples, offset, ({ tree }) => tree.span);
  return (
    symbolInCondition(file, offset) ??
    symbolInYaml(file, frontmatter.tree, tableOf(dialect), offset) ??
    (metadata && symbolInYaml(file, metadata.tree, artifactKeys[metadata.artifact.kind], offset, true)) ??
    (example && symbolInExample(example, offset)) ??
    symbolInBody(file, offset) ??
    symbolInTemplate(file, offset) ??
    symbolInSuppression(file, offset)
  );
}

/** The rule that a comment suppresses. */
function symbolInSuppression({ suppressions }: SkillFile, offset: number): SkillSymbol | undefined {
  const here = suppressions.find(({ span }) => touches(span, offset));
  return here && { kind: 'rule', span: here.span, name: here.rule };
}
