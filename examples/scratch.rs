use cargo_reduce::{
    exec::*,
    oracle::{ice::*, pool::Pool, script::*},
    passes::*,
    reduce::*,
};
use std::{path::Path, time::*};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&a[2]).unwrap();
    let name = Path::new(&a[2]).file_name().unwrap().to_str().unwrap();
    let start = Instant::now();
    let sources = |s| {
        Sources::new(
            vec![SourceFile {
                path: name.into(),
                text: text.clone().into(),
            }],
            s,
        )
    };
    let pool = Pool::new(2, Interrupt::new());
    let limits = Limits {
        time: Some(Duration::from_secs(20)),
        memory_bytes: Some(4 << 30),
        ..Default::default()
    };
    let out = a.get(4).cloned().unwrap_or("/tmp/passes-out.rs".into());
    let verbose = std::env::var("V").is_ok();
    let run = |oracle: &mut dyn Oracle<Sources>, src: Sources| {
        let t0 = (src.tokens(), src.bytes());
        let mut p = Problem::new(src, oracle, Memory::Remember).on_accept(|s, c| {
            if verbose {
                eprintln!(
                    "{:?} {} {} tok {} B",
                    start.elapsed(),
                    c.candidates,
                    s.tokens(),
                    s.bytes()
                )
            }
        });
        cargo_reduce::passes::reduce(
            &mut p,
            Settings {
                stand_in: StandIn::Loop,
            },
        )
        .unwrap();
        let c = p.counts();
        let b = p.into_best();
        std::fs::write(&out, &*b.files[0].text).unwrap();
        println!(
            "{} | {:?} -> {} tok {} B | {} cand {} cached | {:.1}s",
            a[3],
            t0,
            b.tokens(),
            b.bytes(),
            c.candidates,
            c.cached,
            start.elapsed().as_secs_f32()
        );
    };
    if a[1] == "script" {
        let mut o = ScriptOracle::new(
            Command::parse(&a[3], Path::new("/")).unwrap(),
            pool,
            limits,
            None,
        );
        let s = sources(Sameness::Text);
        run(&mut o, s);
    } else {
        let args: Vec<String> = serde_json::from_str(&a[1]).unwrap();
        let tc = args[0].clone();
        let rustc = Rustc::find(Path::new("rustc"), Some(&tc), limits)
            .unwrap()
            .with_args(args[1..].iter().map(|s| s.into()));
        let s = sources(Sameness::Tokens);
        let v = IceOracle::compile(&rustc, &s, pool.interrupt()).unwrap();
        if verbose {
            eprintln!("{v:?}");
        }
        let mut o = IceOracle::new(rustc, pool, &v, Errors::Keep).expect("no crash");
        run(&mut o, s);
        let others = o.others().len();
        if others > 0 {
            println!("  also {others} other crashes");
        }
    }
}
