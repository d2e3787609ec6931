/** Where a target is declared. */
import type { Analysis } from '../../analysis/analysis.ts';
import { pairsOf } from '../../rules/common/data-flow/values.ts';
import { inner } from '../../rules/common/name-fixes.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, span } from '../../text.ts';
import { SNAPSHOT_NAME } from '../../workspace/tool-snapshot.ts';
import type { CatalogDomain, Target } from './target.ts';

/** `file` is undefined for the snapshot of tools, of which only the URI is known. */
export interface Declaration {
  readonly uri: string;
  readonly file: SkillFile | undefined;
  /** The name alone. */
  readonly span: Span;
}

/** Of several skills of one name the one that `from` resolves to comes first. */
export function declarationsOf(analysis: Analysis, from: SkillFile, target: Target): readonly Declaration[] {
  const at = (file: SkillFile | undefined, place: Span | undefined): readonly Declaration[] =>
    file && place ? [{ uri: file.uri, file, span: inner(file.text, place) }] : [];
  switch (target.kind) {
    case 'skill': {
      const meant = analysis.resolveSkill(from, target.name);
      const all = analysis.skillsNamed(target.name).flatMap(({ uri }) => analysis.file(uri) ?? []);
      const sorted = [...all.filter((one) => one.uri === meant?.uri), ...all.filter((one) => one.uri !== meant?.uri)];
      return sorted.flatMap((file) => at(file, file.contract.name?.span));
    }
    case 'catalog': {
      const catalog = catalogAt(analysis, target.catalog);
      const known = catalog && namesOf(catalog, target.domain)?.get(target.name);
      if (!catalog || !known) return [];
      if (known.span) return at(analysis.file(known.uri ?? ''), known.span);
      if (!known.uri) return [];
      return [{ uri: `${catalog.folder}/${SNAPSHOT_NAME}`, file: undefined, span: span(0, 0) }];
    }
    case 'artifact': {
      const file = analysis.file(target.uri);
      return (file?.body?.artifacts ?? []).flatMap((artifact) =>
        artifact.name === target.name && (!target.artifactKind || artifact.kind === target.artifactKind)
          ? at(file, artifact.nameSpan ?? artifact.kindSpan)
          : [],
      );
    }
    case 'step': {
      const file = analysis.file(target.uri);
      return (file?.contract.composes ?? []).flatMap(({ as }) => (as?.name === target.name ? at(file, as.span) : []));
    }
    case 'flow': {
      const file = analysis.file(target.uri);
      return (file?.contract.composes ?? []).flatMap((entry) => {
        const mapped = pairsOf(entry.outputMapping);
        const given = mapped.flatMap(({ to, toSpan }) => (to === target.name ? at(file, toSpan) : []));
        if (given.length > 0 || mapped.some(({ from }) => from === target.name)) return given;
        // Without a mapping the flow takes an output under its own name.
        const skill = file && analysis.resolveSkill(file, entry.name);
        const field = skill?.contract.output?.schema.fields.find(({ name }) => name === target.name);
        return at(skill, field?.keySpan);
      });
    }
    case 'field':
      return at(analysis.file(target.uri), target.key);
    case 'local':
      return target.definitions.flatMap((place) => at(analysis.file(target.uri), place));
  }
}

type Catalog = NonNullable<ReturnType<typeof catalogAt>>;

/** The catalog at a URI; undefined for the empty URI. */
export const catalogAt = ({ index }: Analysis, uri: string) => index.catalogs.find((one) => one.uri === uri);

export function namesOf(catalog: Catalog, domain: CatalogDomain) {
  return catalog[`${domain}s`];
}
