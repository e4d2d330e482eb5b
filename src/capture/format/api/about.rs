//! What is known of a call from what it stands in.

use crate::capture::event::{CallEvent, text};
use crate::capture::time;
use crate::json::{Kind, View};
use std::borrow::Cow;

/// What the objects around a call say of it. An inner one says it better than an outer one.
#[derive(Clone, Default)]
pub(crate) struct About<'a> {
    pub model: Option<Cow<'a, str>>,
    pub at: Option<Cow<'a, str>>,
    pub session: Option<Cow<'a, str>>,
    pub finish_reason: Option<Cow<'a, str>>,
    /// Inside a message: arrays there are no conversations.
    pub in_message: bool,
}

impl<'a> About<'a> {
    /// What is known inside an object.
    pub(crate) fn within(&self, object: View<'a>) -> Self {
        let mut about = self.clone();
        if object.kind() != Kind::Object {
            return about;
        }
        for child in object.children() {
            let field = match child.plain_key().unwrap_or_default() {
                b"model" | b"modelVersion" | b"model_version" | b"modelId" => &mut about.model,
                b"finish_reason" | b"finishReason" | b"stop_reason" | b"stopReason" => &mut about.finish_reason,
                b"session_id" | b"sessionId" => &mut about.session,
                b"timestamp" | b"created_at" | b"created" | b"createTime" => {
                    about.at = time_of(child).or(about.at);
                    continue;
                }
                b"role" => {
                    about.in_message = true;
                    continue;
                }
                _ => continue,
            };
            if let Some(text) = child.str() {
                *field = Some(text);
            }
        }
        about
    }

    /// The call with what is known of it.
    pub(crate) fn on(&self, call: CallEvent<'a>) -> CallEvent<'a> {
        let Self { model, at, session, finish_reason, .. } = self.clone();
        CallEvent {
            at: call.at.or(at),
            session: call.session.or(session),
            model: call.model.or(model),
            finish_reason: call.finish_reason.or(finish_reason),
            ..call
        }
    }
}

/// Whether a key is one of those that [`About::within`] looks at.
pub(super) fn is_about(key: &[u8]) -> bool {
    matches!(
        key,
        b"model"
            | b"modelVersion"
            | b"model_version"
            | b"modelId"
            | b"finish_reason"
            | b"finishReason"
            | b"stop_reason"
            | b"stopReason"
            | b"session_id"
            | b"sessionId"
            | b"timestamp"
            | b"created_at"
            | b"created"
            | b"createTime"
            | b"role"
    )
}

/// A time as text, or as one of the numbers that APIs give.
pub(crate) fn time_of(value: View<'_>) -> Option<Cow<'_, str>> {
    value.str().or_else(|| value.number().and_then(time::from_number).map(Cow::Owned))
}

/// The id under a key: a string, or a number as it stands.
pub(crate) fn id<'a>(object: View<'a>, key: &str) -> Option<Cow<'a, str>> {
    text(object, key).or_else(|| {
        let number = object.get(key).filter(|id| id.kind() == Kind::Number)?;
        Some(crate::json::to_well_formed(number.raw()))
    })
}
