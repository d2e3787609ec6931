/** What stands at a place, said once: hover, definition, references, highlights and rename all begin with it. */
import type { SkillDocument } from '../../skill/document.ts';
import { findTouching, touches } from '../../text.ts';
import { artifactKeys } from '../../vocabulary/artifact-keys.ts';
import { tableOf } from '../../vocabulary/tables.ts';
import { symbolInBody } from './in-body.ts';
import { symbolInCondition, symbolInTemplate } from './in-template.ts';
import { symbolInExample, symbolInYaml } from './in-yaml.ts';
import type { SkillSymbol } from './skill-symbol.ts';

export function symbolAt(document: SkillDocument, offset: number): SkillSymbol | undefined {
  const { frontmatter, contract, dialect } = document;
  if (offset < frontmatter.bodyStart) {
    // Who searches a workspace for a name of the frontmatter should not have to read every body.
    const inCondition = contract.interrupts.some(({ when }) => when && touches(when.span, offset));
    return (
      (inCondition ? symbolInCondition(document, offset) : undefined) ??
      symbolInYaml(document, frontmatter.tree, tableOf(dialect), offset)
    );
  }
  const metadata = findTouching(document.metadata, offset, ({ tree }) => tree.span);
  const example = findTouching(document.examples, offset, ({ tree }) => tree.span);
  return (
    symbolInCondition(document, offset) ??
    symbolInYaml(document, frontmatter.tree, tableOf(dialect), offset) ??
    (metadata && symbolInYaml(document, metadata.tree, artifactKeys[metadata.artifact.kind], offset, true)) ??
    (example && symbolInExample(example, offset)) ??
    symbolInBody(document, offset) ??
    symbolInTemplate(document, offset)
  );
}
