//! A browser with a page in it, what a person does with that, and what the browser has to say.

use std::io::{BufRead, BufReader, Write};
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use futures_util::FutureExt;
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use url::{ParseError, Url};

/// Longer than that nobody waits for an answer of a test.
const PATIENCE: Duration = Duration::from_secs(30);

/// A driver that ends with the test.
struct Driver(Child, u16);

impl Driver {
    fn start() -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let said = BufReader::new(driver.stdout.take().expect("it has an output"));
        let port = said.lines().map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        Self(driver, port.expect("chromedriver says its port"))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Asks the driver for a log.
#[derive(Debug)]
struct Log(&'static str);

impl WebDriverCompatibleCommand for Log {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        let body = json!({ "type": self.0 }).to_string();
        (Method::POST, Some(body))
    }
}

/// Gives a command to the browser itself, such as how wide a page is.
#[derive(Debug)]
struct Protocol(Value);

impl WebDriverCompatibleCommand for Protocol {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!(
            "session/{}/goog/cdp/execute",
            session.unwrap_or_default()
        ))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.0.to_string()))
    }
}

/// A page in a browser.
pub struct Page {
    pub client: Client,
    _profile: tempfile::TempDir,
    driver: Rc<Driver>,
}

/// Where the site is.
pub fn site() -> PathBuf {
    std::env::var_os("SITE")
        .expect("SITE: cargo xtask ci --web says it")
        .into()
}

/// Opens a page of the site, and after `what` sees that no message was on the console, and that
/// nothing was asked of the network.
pub fn on_page(address: &str, what: impl AsyncFnOnce(Page) -> Page) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(async {
        let page = Page::open(address).await;
        // A browser outlives its driver, so it is closed also where the test fails.
        let (client, driver) = (page.client.clone(), Rc::clone(&page.driver));
        let tried = AssertUnwindSafe(async {
            let page = what(page).await;
            page.is_quiet().await;
        });
        let tried = tried.catch_unwind().await;
        let closed = client.close().await;
        drop(driver);
        if let Err(failed) = tried {
            resume_unwind(failed);
        }
        closed.expect("the browser closes");
    });
}

/// What a program says to a question without a browser.
pub fn natively(program: &str, question: &Value, file: &[u8]) -> String {
    let programs = std::env::var_os("PROGRAMS").expect("PROGRAMS: cargo xtask ci --web says it");
    let program = Path::new(&programs).join(format!("web-{program}"));
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("it has an input");
    writeln!(input, "{question}")
        .and_then(|()| input.write_all(file))
        .expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8(output.stdout).expect("it writes text")
}

impl Page {
    async fn open(address: &str) -> Self {
        let driver = Driver::start();
        let profile = tempfile::tempdir().expect("a folder for the browser");
        let options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1300,900",
        ];
        let mut options: Vec<String> = options.map(str::to_owned).to_vec();
        options.push(format!("--user-data-dir={}", profile.path().display()));
        let wanted = json!({
            "goog:chromeOptions": { "args": options },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        });
        let Value::Object(wanted) = wanted else {
            unreachable!()
        };
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(wanted)
            .connect(&format!("http://127.0.0.1:{}", driver.1))
            .await
            .expect("a browser starts");
        let page = Self {
            client,
            _profile: profile,
            driver: Rc::new(driver),
        };
        page.go(address).await;
        page
    }

    /// Goes to a page of the site.
    pub async fn go(&self, address: &str) {
        let address = format!("file://{}/{address}", site().display());
        self.client.goto(&address).await.expect("the page loads");
    }

    /// The one element.
    pub async fn find(&self, css: &str) -> Element {
        let found = self
            .client
            .wait()
            .at_most(PATIENCE)
            .for_element(Locator::Css(css))
            .await;
        found.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    /// A click on an element. What is on the page may be replaced between the look and the click:
    /// then on what is there now.
    pub async fn click(&self, css: &str) {
        for last in [false, false, true] {
            match self.find(css).await.click().await {
                Err(error) if !last && error.is_stale_element_reference() => {}
                clicked => {
                    clicked.unwrap_or_else(|error| panic!("{css}: {error}"));
                    break;
                }
            }
        }
    }

    /// Keys into an element, and nothing before them.
    pub async fn write(&self, css: &str, text: &str) {
        let field = self.find(css).await;
        field.clear().await.expect("it is a field");
        field.send_keys(text).await.expect("it takes keys");
    }

    /// One key into an element.
    pub async fn press(&self, css: &str, key: Key) {
        let keys = char::from(key).to_string();
        self.find(css)
            .await
            .send_keys(&keys)
            .await
            .expect("it takes keys");
    }

    /// The text that an element shows.
    pub async fn text(&self, css: &str) -> String {
        self.find(css).await.text().await.expect("it has text")
    }

    /// Waits until an element shows this.
    pub async fn shows(&self, css: &str, part: &str) {
        let begun = Instant::now();
        loop {
            // A page may put another in its place meanwhile.
            let text = match self.client.find(Locator::Css(css)).await {
                Ok(element) => element.text().await.unwrap_or_default(),
                Err(_) => String::new(),
            };
            if text.contains(part) {
                return;
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "{css} shows {text:?} and not {part:?}"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// What an expression of JavaScript comes to; promises are waited for.
    pub async fn value(&self, expression: &str) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; (async () => ({expression}))().then(done, (error) => done(`failed: ${{error.message}}`));"
        );
        self.client
            .execute_async(&script, Vec::new())
            .await
            .expect("the expression is one")
    }

    /// Gives a page that asks for files one with these contents, an expression.
    pub async fn takes(&self, contents: &str, name: &str) {
        self.value(&format!("input.take([new File([{contents}], '{name}')])"))
            .await;
    }

    /// What a page's program says to a question, as text.
    pub async fn asks(&self, question: &Value) -> Value {
        self.value(&format!("(await program.ask({question})).text"))
            .await
    }

    async fn protocol(&self, command: &str, parameters: Value) {
        let done = self
            .client
            .issue_cmd(Protocol(json!({ "cmd": command, "params": parameters })));
        done.await
            .unwrap_or_else(|error| panic!("{command}: {error}"));
    }

    /// Shows the page on a screen or in print, with colours of its own or those of its reader.
    pub async fn is_seen(&self, medium: &str, forced: bool) {
        let value = if forced { "active" } else { "none" };
        let features = json!([{ "name": "forced-colors", "value": value }]);
        let seen = json!({ "media": medium, "features": features });
        self.protocol("Emulation.setEmulatedMedia", seen).await;
    }

    /// Makes the page so many pixels wide.
    pub async fn is_wide(&self, width: u32) {
        let size =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.protocol("Emulation.setDeviceMetricsOverride", size)
            .await;
    }

    /// Makes it day, `light`, or night, `dark`.
    pub async fn is_by(&self, scheme: &str) {
        let feature = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.protocol("Emulation.setEmulatedMedia", json!({ "features": feature }))
            .await;
    }

    /// Waits for the answer to what a page asks when it is opened.
    pub async fn is_answered(&self) {
        let begun = Instant::now();
        let is_answered = "document.getElementById('state').textContent !== '' && document.getElementById('stop').hidden";
        while self.value(is_answered).await != json!(true) {
            assert!(
                begun.elapsed() < PATIENCE,
                "a page answers when it is opened"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn log(&self, kind: &'static str) -> Vec<Value> {
        let log = self
            .client
            .issue_cmd(Log(kind))
            .await
            .expect("the driver has a log");
        log.as_array().cloned().unwrap_or_default()
    }

    /// No message, and nothing asked of the network.
    async fn is_quiet(&self) {
        let said = self.log("browser").await;
        assert!(said.is_empty(), "messages on the console: {said:?}");
        for entry in self.log("performance").await {
            let text = entry["message"].as_str().unwrap_or_default();
            let message: Value = serde_json::from_str(text).unwrap_or_default();
            let message = &message["message"];
            // A browser begins with a page of its own.
            let by = message["params"]["documentURL"]
                .as_str()
                .unwrap_or_default();
            if message["method"] != "Network.requestWillBeSent" || by.starts_with("chrome:") {
                continue;
            }
            let address = message["params"]["request"]["url"]
                .as_str()
                .unwrap_or_default();
            let own = ["file:", "blob:", "data:"];
            assert!(
                own.iter().any(|own| address.starts_with(own)),
                "{address} was asked for"
            );
        }
    }

    /// The longest task of the page while an expression is worked out that clicks something, in ms,
    /// or 0 if none was longer than 50: the least of at most six times, since a machine that is at
    /// other work holds up any page now and then.
    pub async fn longest_task(&self, expression: &str) -> f64 {
        let mut least = f64::INFINITY;
        for _ in 0..6 {
            let longest = format!("({LONGEST})(() => {expression}, false)");
            let longest = self.value(&longest).await;
            least = least.min(longest.as_f64().expect("a number of ms"));
            if least <= 50.0 {
                break;
            }
        }
        least
    }

    /// The longest task since the page was opened, in ms, or 0 if none was longer than 50.
    pub async fn longest_task_so_far(&self) -> f64 {
        let longest = self.value(&format!("({LONGEST})(() => {{}}, true)")).await;
        longest.as_f64().expect("a number of ms")
    }
}

/// The longest task while something is done and a little longer, or before it too.
const LONGEST: &str = "async (act, buffered) => {
    let most = 0;
    const see = (list) => list.forEach((task) => { most = Math.max(most, task.duration); });
    const observer = new PerformanceObserver((list) => see(list.getEntries()));
    observer.observe({ type: 'longtask', buffered });
    // In a task of its own: what a driver works out is not counted.
    setTimeout(act);
    await new Promise((resolve) => setTimeout(resolve, 300));
    see(observer.takeRecords());
    observer.disconnect();
    return most;
}";
