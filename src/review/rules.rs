//! The rules by which a change is named: identity, severity, who feels it, and the words, as one table.
//!
//! Anchors, read in source or documentation in November 2026: oasdiff's request-side checks (levels and wording), the
//! compatibility table of Confluent's Schema Registry for JSON Schema (an object's content model decides what adding or
//! removing a property means), graphql-inspector's `considerUsage` (a break that no traffic touches weighs less).

pub use crate::lint::Severity;

/// What becomes of a call in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The change does not touch it.
    None,
    /// It stays right.
    Ok,
    /// It is accepted, but may mean or do something else.
    Differs,
    /// It is accepted, and a value in it is not read any more.
    Ignored,
    /// It is rejected, or cannot be made at all.
    Rejected,
}

impl Effect {
    /// The effect's name in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Ok => "ok",
            Self::Differs => "differs",
            Self::Ignored => "ignored",
            Self::Rejected => "rejected",
        }
    }
}

/// A change in the three directions: an old call that stays valid is only one of the questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Directions {
    /// A model that is freshly prompted with the new definition.
    pub new: Effect,
    /// Calls recorded earlier, replayed.
    pub recorded: Effect,
    /// A client or model that still holds the old definition: a cached tool list, a resumed session, a fine-tuned model.
    pub stale: Effect,
}

/// What a rule says about the set of accepted calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It became smaller.
    Narrows,
    /// It became larger, or stayed.
    Widens,
    /// That depends, or cannot be told.
    Unclear,
    /// It is the same: only what the model reads has changed.
    Text,
}

/// A rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The identity in output, in the accept file and in the configuration.
    pub id: &'static str,
    /// The severity before any evidence.
    pub severity: Severity,
    /// Who feels it.
    pub directions: Directions,
    /// What it says about the accepted calls.
    pub turn: Turn,
    /// The sentence, with slots: `{t}` the tool, `{p}` the place, `{k}` the keyword, `{a}` before, `{b}` after.
    pub message: &'static str,
}

macro_rules! rules {
    ($($name:ident $id:literal $severity:ident $new:ident $recorded:ident $stale:ident $turn:ident $message:literal)*) => {
        /// The name of a rule.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "each is described by its row of the table")]
        pub enum RuleId { $($name),* }

        impl RuleId {
            /// All rules, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The rule.
            #[must_use]
            pub fn rule(self) -> &'static Rule {
                match self {
                    $(Self::$name => &Rule {
                        id: $id,
                        severity: Severity::$severity,
                        directions: Directions {
                            new: Effect::$new, recorded: Effect::$recorded, stale: Effect::$stale,
                        },
                        turn: Turn::$turn,
                        message: $message,
                    },)*
                }
            }
        }
    };
}

// The rows: name, identity, severity; effect on new prompts, recorded calls and stale clients; turn; sentence.
#[rustfmt::skip]
rules! {
    // Tools
    ToolRemoved "tool-removed" Error Differs Rejected Rejected Unclear "tool `{t}` was removed"
    ToolAdded "tool-added" Note Differs None None Widens "tool `{t}` was added"
    ToolRenamed "tool-renamed" Error Differs Rejected Rejected Unclear "tool {a} looks renamed to {b}"
    ToolStrictChanged "tool-strict-changed" Warning Differs None Differs Unclear "strict {a} → {b} for `{t}`"
    ToolAnnotationChanged "tool-annotation-changed" Warning Differs None None Text "{k} {a} → {b}: clients may ask for confirmation differently"
    ToolOrderChanged "tool-order-changed" Note None None None Text "tool order changed; prompt caches keyed on the list are invalidated"
    ToolOutputSchemaChanged "tool-output-schema-changed" Note Differs Differs Differs Text "the output schema changed (there the opposite holds: narrowing is safe)"
    ToolKindChanged "tool-kind-changed" Note None None None Text "`{t}` moved from {a} to {b} form; compared by content"

    // Parameters
    ParamAddedOptional "param-added-optional" Note Differs None None Unclear "optional {p} ({b}) was added"
    ParamAddedOptionalTypedOpen "param-added-optional-typed-open" Note Differs Differs Differs Unclear "optional {p} ({b}) was added; calls could send that key before, with any value"
    ParamAddedRequired "param-added-required" Error Ok Rejected Rejected Narrows "required {p} was added"
    ParamAddedRequiredDefault "param-added-required-default" Error Ok Rejected Rejected Narrows "required {p} was added; it has a default, but validators do not fill defaults"
    ParamRemovedRejected "param-removed-rejected" Error Ok Rejected Rejected Narrows "{p} was removed and undeclared keys are rejected"
    ParamRemovedIgnored "param-removed-ignored" Warning Ok Ignored Ignored Unclear "{p} was removed; calls that send it stay valid and the value is ignored"
    ParamRemovedCovered "param-removed-covered" Note Ok Ok Ok Widens "{p} was removed but {k} still describes it"
    ParamRenamed "param-renamed" Error Ok Rejected Rejected Narrows "{p} looks renamed to {b}"
    ParamMoved "param-moved" Error Ok Rejected Rejected Narrows "{p} moved from {a} to {b}"
    ParamBecameRequired "param-became-required" Error Ok Rejected Rejected Narrows "{p} became required"
    ParamBecameRequiredDefault "param-became-required-default" Error Ok Rejected Rejected Narrows "{p} became required; it has a default, but validators do not fill defaults"
    ParamBecameOptional "param-became-optional" Note Differs Ok Ok Widens "{p} became optional; models may start to omit it"
    ParamTypeChanged "param-type-changed" Error Ok Rejected Rejected Narrows "{p}: {a} → {b}; no old value fits"
    ParamTypeNarrowed "param-type-narrowed" Error Ok Rejected Rejected Narrows "{p}: {a} → {b}"
    ParamTypeWidened "param-type-widened" Note Differs Ok Ok Widens "{p}: {a} → {b}"
    ParamTypeAdded "param-type-added" Error Ok Rejected Rejected Narrows "{p} had no type, is now {b}"
    ParamTypeRemoved "param-type-removed" Warning Differs Ok Ok Widens "{p} lost its type {a}; models guess"
    ParamNullableAdded "param-nullable-added" Note Differs Ok Ok Widens "{p} now accepts null"
    ParamNullableRemoved "param-nullable-removed" Error Ok Rejected Rejected Narrows "{p} no longer accepts null"
    ParamNullableRespelled "param-nullable-respelled" Note None None None Widens "null in {p}: {a} → {b}"
    ParamEnumAdded "param-enum-added" Error Ok Rejected Rejected Narrows "{p} is now limited to {b}"
    ParamEnumRemoved "param-enum-removed" Warning Differs Ok Ok Widens "{p} is no longer limited to {a}; models lose the list"
    ParamEnumValueAdded "param-enum-value-added" Note Differs Ok Ok Widens "{p} accepts {b} too"
    ParamEnumValueRemoved "param-enum-value-removed" Error Ok Rejected Rejected Narrows "{p} no longer accepts {a}"
    ParamEnumValueRenamed "param-enum-value-renamed" Error Ok Rejected Rejected Narrows "{p}: {a} looks renamed to {b}"
    ParamEnumReordered "param-enum-reordered" Note Differs None None Text "the order of {p}'s values changed"
    ParamConstAdded "param-const-added" Error Ok Rejected Rejected Narrows "{p} must be {b}"
    ParamConstChanged "param-const-changed" Error Ok Rejected Rejected Narrows "{p} must be {b}, no longer {a}"
    ParamConstRemoved "param-const-removed" Note Differs Ok Ok Widens "{p} is no longer fixed to {a}"
    ParamRangeNarrowed "param-range-narrowed" Error Ok Rejected Rejected Narrows "{p}: {k} {a} → {b}"
    ParamRangeAdded "param-range-added" Warning Ok Differs Differs Narrows "{p} now has {k} {b}"
    ParamRangeWidened "param-range-widened" Note Differs Ok Ok Widens "{p}: {k} {a} → {b}"
    ParamRangeRemoved "param-range-removed" Note Differs Ok Ok Widens "{p} no longer has {k} {a}"
    ParamMultipleChanged "param-multiple-changed" Warning Ok Differs Differs Unclear "{p}: multipleOf {a} → {b}"
    ParamLengthNarrowed "param-length-narrowed" Error Ok Rejected Rejected Narrows "{p}: {k} {a} → {b}"
    ParamLengthAdded "param-length-added" Warning Ok Differs Differs Narrows "{p} now has {k} {b}"
    ParamLengthWidened "param-length-widened" Note Differs Ok Ok Widens "{p}: {k} {a} → {b}"
    ParamLengthRemoved "param-length-removed" Note Differs Ok Ok Widens "{p} no longer has {k} {a}"
    ParamPatternAdded "param-pattern-added" Warning Ok Differs Differs Narrows "{p} must match {b}"
    ParamPatternChanged "param-pattern-changed" Warning Ok Differs Differs Unclear "{p}: pattern {a} → {b}; which strings that loses cannot be decided"
    ParamPatternRemoved "param-pattern-removed" Note Differs Ok Ok Widens "{p} no longer has to match {a}"
    ParamFormatAdded "param-format-added" Warning Differs Differs Differs Unclear "{p}: format {b}; asserted here: {k}"
    ParamFormatChanged "param-format-changed" Warning Differs Differs Differs Unclear "{p}: format {a} → {b}; asserted here: {k}"
    ParamFormatRemoved "param-format-removed" Note Differs Ok Ok Widens "{p} no longer has the format {a}"
    ParamDefaultAdded "param-default-added" Note Differs Differs Differs Text "{p} now defaults to {b}"
    ParamDefaultChanged "param-default-changed" Warning Differs Differs Differs Text "default of {p} {a} → {b}"
    ParamDefaultRemoved "param-default-removed" Warning Differs Differs Differs Text "{p} no longer defaults to {a}"

    // Arrays
    ItemsAdded "items-added" Error Ok Rejected Rejected Narrows "elements of {p} must now be {b}"
    ItemsRemoved "items-removed" Warning Differs Ok Ok Widens "elements of {p} are no longer described"
    ArraySizeNarrowed "array-size-narrowed" Error Ok Rejected Rejected Narrows "{p}: {k} {a} → {b}"
    ArraySizeWidened "array-size-widened" Note Differs Ok Ok Widens "{p}: {k} {a} → {b}"
    ArrayUniqueAdded "array-unique-added" Warning Ok Differs Differs Narrows "{p} must not repeat elements"
    ArrayUniqueRemoved "array-unique-removed" Note Differs Ok Ok Widens "{p} may repeat elements"
    ArrayTupleChanged "array-tuple-changed" Error Ok Rejected Rejected Unclear "position {k} of {p} changed: {a} → {b}"
    ArrayContainsChanged "array-contains-changed" Warning Ok Differs Differs Unclear "what {p} must contain changed: {k} {a} → {b}"

    // Objects
    ObjectClosed "object-closed" Warning Ok Differs Differs Narrows "undeclared keys of {p} are now rejected"
    ObjectOpened "object-opened" Warning Differs Ok Ok Widens "undeclared keys of {p} are now accepted and ignored: misspelled parameters no longer fail"
    ObjectExtraTyped "object-extra-typed" Warning Ok Differs Differs Narrows "other keys of {p} must be {b}"
    ObjectExtraRetyped "object-extra-retyped" Warning Ok Differs Differs Unclear "other keys of {p}: {a} → {b}"
    ObjectPatternAdded "object-pattern-added" Warning Ok Differs Differs Unclear "keys of {p} that match {k} must be {b}"
    ObjectPatternRemoved "object-pattern-removed" Note Ok Differs Differs Unclear "keys of {p} that match {k} are no longer described"
    ObjectKeyNamesAdded "object-key-names-added" Warning Ok Differs Differs Unclear "the names of {p}'s keys must fit {b}"
    ObjectSizeChanged "object-size-changed" Warning Ok Differs Differs Unclear "{p}: {k} {a} → {b}"
    ObjectDependencyAdded "object-dependency-added" Error Ok Rejected Rejected Narrows "{p} now requires {b}"
    ObjectDependencyRemoved "object-dependency-removed" Note Differs Ok Ok Widens "{p} no longer requires {a}"
    SchemaEmptied "schema-emptied" Error Differs Ok Ok Unclear "all {k} parameters disappeared from the schema"

    // Combinations and references
    UnionAdded "union-added" Error Ok Differs Differs Narrows "{p} must now match {b}"
    UnionRemoved "union-removed" Note Differs Ok Ok Widens "{p} no longer has to match {a}"
    UnionBranchAdded "union-branch-added" Note Differs Ok Ok Widens "{p} accepts the form {b} too"
    UnionBranchRemoved "union-branch-removed" Error Ok Rejected Rejected Narrows "{p} no longer accepts the form {a}"
    UnionKindChanged "union-kind-changed" Warning Differs Differs Differs Unclear "{p}: {a} → {b}: {k}"
    UnionDiscriminatorChanged "union-discriminator-changed" Error Ok Rejected Rejected Narrows "{p}: {a} → {b}"
    ConditionAdded "condition-added" Error Ok Rejected Rejected Narrows "{p}: {k} must now hold: {b}"
    ConditionRemoved "condition-removed" Note Differs Ok Ok Widens "{p}: {k} no longer has to hold: {a}"
    AllOfAdded "allof-added" Error Ok Rejected Rejected Narrows "{p} must now also be {b}"
    AllOfRemoved "allof-removed" Note Differs Ok Ok Widens "{p} no longer has to be {a} too"
    NotAdded "not-added" Error Ok Rejected Rejected Narrows "{p} must now not be {b}"
    NotRemoved "not-removed" Note Differs Ok Ok Widens "{p} may now be {a}"
    RefIntroduced "ref-introduced" Warning Differs None None Unclear "{p} moved to {b}; several clients strip $defs"
    RefInlined "ref-inlined" Note None None None Unclear "{p} stands inline instead of in {a}"
    RefRecursionAdded "ref-recursion-added" Warning Differs None None Unclear "{p} became recursive; strict modes may refuse it"
    SchemaDialectChanged "schema-dialect-changed" Warning Differs Differs Differs Unclear "$schema {a} → {b}; each side is judged by its own dialect"

    // Text and order: what the model reads
    DocToolDescriptionChanged "doc-tool-description-changed" Note Differs None None Text "description of `{t}` changed ({k} chars)"
    DocParamDescriptionChanged "doc-param-description-changed" Note Differs None None Text "description of {p} changed ({k} chars)"
    DocParamDescriptionAdded "doc-param-description-added" Note Differs None None Text "{p} got a description"
    DocParamDescriptionRemoved "doc-param-description-removed" Warning Differs None None Text "{p} lost its description"
    DocParamExamplesChanged "doc-param-examples-changed" Note Differs None None Text "examples of {p} changed"
    DocTitleChanged "doc-title-changed" Note Differs None None Text "title of {p}: {a} → {b}"
    DocDeprecatedAdded "doc-deprecated-added" Note Differs None None Text "{p} is now marked deprecated"
    DocDeprecatedRemoved "doc-deprecated-removed" Note Differs None None Text "{p} is no longer marked deprecated"
    DocOrderChanged "doc-order-changed" Note Differs None None Text "the order of {p}'s properties changed"

    // About the comparison
    SchemaEquivalent "schema-equivalent" Note Ok Ok Ok Text "the text changed, accepted calls are the same (proved)"
    SchemaInvalidAfter "schema-invalid-after" Error Rejected Rejected Rejected Unclear "`{t}` does not compile after the change: {k}"
    SchemaInvalidBefore "schema-invalid-before" Note None None None Unclear "`{t}` did not compile before the change: {k}"
    SchemaUnsatisfiable "schema-unsatisfiable" Error Rejected Rejected Rejected Narrows "no arguments can satisfy `{t}` any more"
    SchemaUndecided "schema-undecided" Note Differs Differs Differs Unclear "what changed in `{t}` is more than these rules can name: {k}"
    LintNewlyViolated "lint-newly-violated" Warning Differs None None Text "{k} now fails for {a}: {b}"
    ProviderLimitCrossed "provider-limit-crossed" Error Rejected None None Text "{k}: {a} → {b}"
}

impl RuleId {
    /// The identity in output.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.rule().id
    }

    /// The rule of that identity.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.id() == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_are_unique_and_sentences_use_known_slots() {
        let mut ids: Vec<_> = RuleId::ALL.iter().map(|r| r.id()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), RuleId::ALL.len());
        for id in RuleId::ALL {
            let rest =
                ["{t}", "{p}", "{k}", "{a}", "{b}"].iter().fold(id.rule().message.to_owned(), |m, slot| m.replace(slot, ""));
            assert!(!rest.contains(['{', '}']), "{}", id.id());
            assert_eq!(RuleId::from_id(id.id()), Some(*id));
        }
    }
}
