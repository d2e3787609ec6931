/** What may be typed at a cursor: finds out which context it is in; each context has a file of its own. */
import type { CompletionItem, CompletionList } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { findTouching } from '../../text.ts';
import { artifactKeys } from '../../vocabulary/artifact-keys.ts';
import { tableOf } from '../../vocabulary/tables.ts';
import type { Locate } from '../locate.ts';
import { offerAnchor } from './anchors.ts';
import { offerInExample } from './examples.ts';
import { findFrontmatter } from './find-frontmatter.ts';
import { offerHeading } from './headings.ts';
import { type CompletionClient, toItems } from './items.ts';
import { offerInPackage } from './package/package.ts';
import type { Cursor, Offer } from './proposal.ts';
import { offerReference } from './references.ts';
import { offerNewFile, offerOnEmptyLine } from './snippets.ts';
import { offerSuppression } from './suppression.ts';
import { offerInTemplate } from './template/template.ts';
import { offerInYaml } from './yaml.ts';

export function completion(
  analysis: Analysis,
  file: SkillFile,
  offset: number,
  locate: Locate,
  client?: CompletionClient,
): CompletionItem[] | CompletionList {
  const cursor: Cursor = { analysis, file, offset };
  const offer = offerFile(cursor);
  return offer ? toItems(cursor, offer, locate, client) : [];
}

function offerFile(cursor: Cursor): Offer | undefined {
  const whole = offerNewFile(cursor);
  const other = whole && cursor.file.dialect !== 'contract' ? undefined : findOffer(cursor);
  return whole && other ? { ...other, proposals: [...whole.proposals, ...other.proposals] } : (whole ?? other);
}

function findOffer(cursor: Cursor): Offer | undefined {
  const { file, offset } = cursor;
  if (file.dialect === 'package') return offerInPackage(cursor);
  const frontmatter = findFrontmatter(file, offset);
  if (frontmatter) return offerInYaml(cursor, frontmatter, tableOf(file.dialect));
  const anchor = offerAnchor(cursor);
  if (anchor) return anchor;
  if (file.dialect !== 'composer' || offset < file.frontmatter.bodyStart) return undefined;
  const metadata = findTouching(file.metadata, offset, ({ tree }) => tree.span);
  if (metadata) return offerInYaml(cursor, metadata.tree, artifactKeys[metadata.artifact.kind], metadata.artifact.kind);
  const example = findTouching(file.examples, offset, ({ tree }) => tree.span);
  if (example) return offerInExample(cursor, example);
  return (
    offerHeading(cursor) ??
    offerInTemplate(cursor) ??
    offerReference(cursor) ??
    offerOnEmptyLine(cursor) ??
    offerSuppression(cursor)
  );
}
