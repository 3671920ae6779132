//! The page that shows a whole job: `report.html`.
//!
//! [`Page`] is a reporter: it hands each event on to another one, and keeps those that the page is about. The job asks
//! for the page when it knows the summary, and puts it among the files of its result. What it shows is put together as plain data (`view`): source as spans (`code`), long
//! texts without their middle (`cut`), the sizes as lines (`curve`), trees as nested nodes (`tree`). The template turns
//! that into HTML, and escapes all of it.

mod code;
mod collected;
mod curve;
mod cut;
mod subject;
mod tree;
mod view;

use camino::Utf8Path;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};

use super::{Detail, Event, Reporter, Summary};
use collected::Collected;
use view::View;

/// The files that the page is made of; scripts and styles stand in the page, so that it needs no other file.
const PARTS: [(&str, &str); 8] = [
    ("page.html", include_str!("page/page.html")),
    ("code.html", include_str!("page/code.html")),
    ("explained.html", include_str!("page/explained.html")),
    ("parts.html", include_str!("page/parts.html")),
    ("subject.html", include_str!("page/subject.html")),
    ("pattern.html", include_str!("page/pattern.html")),
    ("page.css", include_str!("page/page.css")),
    ("page.js", include_str!("page/page.js")),
];

/// Makes a page of the events that it hands on to another reporter.
pub struct Page {
    inner: Box<dyn Reporter>,
    on_written: Box<dyn FnMut(&Utf8Path)>,
    collected: Collected,
}

impl Page {
    /// Tells `inner` all that it hears, and `on_written` where a page is when the job has ended.
    pub fn new(inner: Box<dyn Reporter>, on_written: impl FnMut(&Utf8Path) + 'static) -> Page {
        Page { inner, on_written: Box::new(on_written), collected: Collected::default() }
    }
}

impl Reporter for Page {
    fn detail(&self) -> Detail {
        self.inner.detail()
    }

    fn report(&mut self, event: &Event) {
        self.inner.report(event);
        let Event::Summary(summary) = event else {
            return self.collected.add(event);
        };
        if let Some(page) = &summary.artifacts.page {
            (self.on_written)(Utf8Path::new(page));
        }
    }

    fn page(&self, summary: &Summary) -> Option<Result<String, String>> {
        Some(render(&View::new(&self.collected, summary)).map_err(|error| error.to_string()))
    }
}

/// The page as HTML.
fn render(view: &View) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    for (name, text) in PARTS {
        environment.add_template(name, text)?;
    }
    environment.get_template("page.html")?.render(Serde(view))
}

#[cfg(test)]
mod tests;
